/** Every error that Java programs can cause, one function each. */
import { HeddleError, quote } from '../../errors.ts'

export const noJavaRun = (folder: string): HeddleError =>
  new HeddleError('no-java-run', `There is no record of a Java run in ${quote(folder)}`, 'Check the program again')

export const noAgent = (): HeddleError =>
  new HeddleError(
    'no-java-agent',
    'The agent for Java programs is not built',
    'Install a JDK and Maven (`apt install openjdk-17-jdk-headless maven`) and run `npm run build` in the folder of Heddle',
  )

export const agentFailed = (why: string): HeddleError =>
  new HeddleError(
    'java-agent-failed',
    `The agent could not start in this JVM (${why})`,
    'JDK 8 to 25 should work. Run `heddle doctor`, and report the version of the JDK',
  )

export const nothingMeant = (word: string): HeddleError =>
  new HeddleError(
    'java-no-main',
    `${quote(word)} is given no class, jar or source file to run`,
    'Write it as `heddle check -- java -cp classes Main`',
  )

export const onlyTools = (commands: readonly string[]): HeddleError =>
  new HeddleError(
    'java-only-tools',
    `Only JVMs of build tools were started (${quote(commands[0]!)}): no program was observed`,
    'Give the command that runs the program, as in `heddle check -- java -cp target/classes Main` or `heddle check -- mvn exec:java`',
  )
