/** The front ends that Heddle has, in the order in which they are asked. A new one is its folder and a line here. */
import type { FrontEnd } from './contract.ts'
import { javaFrontEnd } from './java/front-end.ts'
import { nativeFrontEnd } from './native/front-end.ts'
import { nodeFrontEnd } from './node/front-end.ts'

export const FRONT_ENDS: readonly FrontEnd[] = [nodeFrontEnd, javaFrontEnd, nativeFrontEnd]
