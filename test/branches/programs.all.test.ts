/** All programs with and without schedule-sensitive branches. */
import { detects, staysSilent } from '../rates.ts'
import { differs } from './checked.ts'
import { branchPrograms } from './programs.ts'

detects('branches, schedule-sensitive', branchPrograms('sensitive'), 0.9, differs)
staysSilent('branches, not schedule-sensitive', branchPrograms('not-sensitive'), differs)
