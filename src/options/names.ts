/** Options have one name in two spellings: `--max-findings` on the command line, `maxFindings` in a configuration file and in code. */
export const camel = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
