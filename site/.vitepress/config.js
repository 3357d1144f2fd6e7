/** The pages of the repository as a site: the same Markdown (pages.mjs copies it). Dead links between pages end the build. */
import { defineConfig } from 'vitepress'

const page = (text, link) => ({ text, link: `/${link}` })
const docs = (text, name) => page(text, `docs/${name}`)

export default defineConfig({
  title: 'Heddle',
  description: 'Predicts the concurrency failures of the runs that did not happen, from one run that passed',
  srcDir: 'pages',
  outDir: '../.heddle/site',
  cacheDir: '../.heddle/site-cache',
  rewrites: { 'README.md': 'index.md', 'docs/decisions/README.md': 'docs/decisions/index.md' },
  cleanUrls: false,
  lastUpdated: false,
  // Links to sources and folders are for readers of the repository. test/docs-links.test.ts looks at them.
  ignoreDeadLinks: [/\.(?!md|html)\w+$/, /(^|\/)(bench|test|examples|src|library|CHANGELOG)(\/|$|\.md)/],
  // Braces are text, not attributes.
  markdown: { attrs: { disable: true } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [docs('Getting started', 'getting-started'), docs('Commands', 'cli'), docs('Quality', 'quality')],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('Heddle', ''),
          docs('Getting started', 'getting-started'),
          docs('Reading a finding', 'reading-a-finding'),
          docs('What is promised', 'promises'),
          docs('Real effects', 'real-effects'),
          docs('Bugs found', 'bugs-found'),
          docs('Glossary', 'glossary'),
        ],
      },
      {
        text: 'Programs',
        items: [
          docs('Event loops', 'event-loop'),
          docs('Databases and other clients', 'clients'),
          docs('Worker threads', 'workers'),
          docs('C and C++', 'native'),
          docs('Java', 'java'),
          docs('Traces', 'traces'),
          docs('Platforms', 'platforms'),
        ],
      },
      { text: 'Tests', items: [docs('Vitest', 'vitest'), docs('node:test', 'node-test'), docs('Jest', 'jest'), docs('CI', 'ci')] },
      {
        text: 'What is looked for',
        items: [
          docs('Properties', 'properties'),
          docs('The property language', 'property-language'),
          docs('The property library', 'property-library'),
          docs('Branches', 'branches'),
          docs('Exploration', 'explore'),
          docs('Many machines', 'scale'),
        ],
      },
      {
        text: 'Reference',
        items: [
          docs('Commands and options', 'cli'),
          docs('Configuration', 'configuration'),
          docs('Report formats', 'formats'),
          docs('Library', 'api'),
          docs('Quality', 'quality'),
          page('Security', 'SECURITY'),
        ],
      },
      {
        text: 'Inside',
        items: [
          page('Architecture', 'ARCHITECTURE'),
          docs('Walkthrough', 'walkthrough'),
          docs('Code map', 'code-map'),
          docs('The model', 'model'),
          docs('Deciding', 'deciding'),
          docs('Trace format', 'trace-format'),
          docs('Native format', 'native-format'),
          docs('Java format', 'java-format'),
          docs('Decisions', 'decisions/'),
          page('Contributing', 'CONTRIBUTING'),
        ],
      },
    ],
  },
})
