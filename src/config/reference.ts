/** docs/configuration.md, from the table of options. */
import { TEST_OPTIONS, type OptionRow } from '../options/table.ts'
import { configOptions } from './config.ts'
import { camel } from '../options/names.ts'
import { shapeOf } from '../options/values.ts'

export function configReference(): string {
  return `# Configuration

<!-- Made by src/config/reference.ts from src/options/table.ts; \`UPDATE=1 npx vitest run test/config\` rewrites it. -->

Options of \`heddle check\` can be kept in a file: \`heddle.config.ts\`, \`heddle.config.js\`, \`heddle.config.mjs\` or
\`heddle.config.json\`.

\`\`\`ts
import { defineConfig } from 'heddle/config'

export default defineConfig({
  time: 120,
  maxFindings: 3,
  property: ['shop.prop'],
  exclude: ['vendor/**'],
  report: ['reports/heddle.html'],
  test: { time: 10, off: ['test/slow/**'] },
})
\`\`\`

\`\`\`json
{ "time": 120, "maxFindings": 3, "test": { "time": 10 } }
\`\`\`

- **Names** are those of the flags in camelCase: \`--max-findings\` is \`maxFindings\`. A name that is not known is an error.
- **Flags win.** A flag on the command line replaces what the file says, a list as a whole. \`--config none\` reads no file, \`--config FILE\` another one.
- **Where it is found:** in the folder Heddle is started in, then in those above it up to the package, the nearest folder with a \`package.json\`.
  Outside of packages only the folder itself counts. Two of these files in one folder are an error.
- **Files** in it (\`property\`, \`report\`) are relative to the folder of the configuration file. A report outside that folder is refused: name it on the command line.
- **TypeScript** is read by Node itself from 22.18 on. On older versions the project needs \`tsx\` (\`npm install --save-dev tsx\`).
- A \`.ts\`, \`.js\` or \`.mjs\` file is a program, and reading it runs it. A \`.json\` file is only read.

## Options

They are those of \`heddle check\` ([cli.md](cli.md)), and of \`check\` in code ([api.md](api.md)).

${table(configOptions())}

## The section \`test\`

For tests that run under Vitest, \`node:test\` or Jest. The budgets are those of one test. What it leaves out is as at the top of the file, except for \`time\`,
\`replays\` and \`maxFindings\`: a budget for a whole program is too much for a test.

${table(TEST_OPTIONS)}
`
}

const table = (rows: readonly OptionRow[]): string =>
  ['| option | value | default | |', '|---|---|---|---|', ...rows.map((row) => `| ${cells(row).join(' | ')} |`)].join('\n')

function cells(row: OptionRow): string[] {
  const usual = row.default ?? (row.type === 'flag' ? 'false' : undefined)
  return [`\`${camel(row.name)}\``, shapeOf(row), usual === undefined ? '' : `\`${usual}\``, row.help.replace('; can be repeated', '')].map(
    (text) => text.replaceAll('|', '\\|'),
  )
}
