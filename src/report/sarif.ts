/**
 * The result of a check as SARIF 2.1.0, for code scanning: a result per finding, a rule per kind and pattern, both orders as code flows. A code flow
 * has one thread flow with all steps in their order, as viewers show thread flows one after the other and an interleaving is read across.
 */
import type { OrderAccess, OrderRow } from '../schedule/order.ts'
import type { CheckDocument, FindingDocument } from './document.ts'
import { lineIn } from './excerpt-line.ts'
import { printable, safeJson } from './escape.ts'
import { chainLetters, doing } from './finding-orders.ts'
import { alsoText, failureLine, proofText, rateOf, replayCommand, replayLine } from './finding-words.ts'
import { shellWord } from './lines.ts'
import { block, plain } from './markdown-text.ts'
import { ruleOf, type Rule } from './rules.ts'
import { folderUri, locationOf, messageOf, ROOT_ID, stackSite, type SarifLocation } from './sarif-places.ts'
import { commandOf, compare, comparePlaces, failuresIn, verdictOf } from './listing.ts'
import { sentenceOf } from './sentence.ts'
import { variesText } from './varies-text.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
/** Of one order; viewers have limits, and readers too. */
const MOST_STEPS = 500

export function* sarifReport(document: CheckDocument): Generator<string> {
  // By place, so that it does not matter which was replayed first.
  const findings = [...document.findings].sort(comparePlaces)
  const rules = new Map<string, Rule>()
  for (const rule of findings.map(ruleOf).sort((a, b) => compare(a.id, b.id))) rules.set(rule.id, rule)
  const indexes = new Map([...rules.keys()].map((id, i) => [id, i]))
  const driver = {
    name: 'Heddle',
    version: document.heddle,
    semanticVersion: document.heddle,
    rules: [...rules.values()].map(descriptor),
  }
  yield `{"$schema":${safeJson(SCHEMA)},"version":"2.1.0","runs":[{"tool":${safeJson({ driver })},`
  yield `"invocations":${safeJson([invocation(document)])},"originalUriBaseIds":${safeJson({ [ROOT_ID]: { uri: folderUri(document.root) } })},`
  yield `"columnKind":"utf16CodeUnits","results":[`
  let comma = ''
  for (const finding of findings) {
    const { id } = ruleOf(finding)
    yield `${comma}\n${safeJson({ ruleId: id, ruleIndex: indexes.get(id), ...resultOf(finding, document) })}`
    comma = ','
  }
  yield `\n],"properties":${safeJson({ lookedAt: document.lookedAt, seconds: document.seconds })}}]}\n`
}

const descriptor = ({ id, name, short, full, remedy, declaration }: Rule): object => ({
  id,
  ...(name === '' ? {} : { name }),
  shortDescription: messageOf(short),
  fullDescription: messageOf(full),
  help: {
    ...messageOf(`${full} ${remedy}`),
    markdown: [plain(full), `**What helps:** ${plain(remedy)}`, ...(declaration === undefined ? [] : [declared(declaration)])].join('\n\n'),
  },
  defaultConfiguration: { level: 'error' },
  properties: { tags: ['concurrency', 'reliability'], precision: 'very-high', 'problem.severity': 'error' },
})

const declared = (text: string): string => block(text.trimEnd().split('\n').map(printable))

function invocation(document: CheckDocument): object {
  const { complete, root, started, notes, varies, plain: runs, seconds, trace } = document
  const failures = failuresIn(document)
  const failed = failures > 0
  const itself = variesText({ varies, plain: runs, failed: failures })
  const begun = Date.parse(started)
  const notices = [
    ...(itself === '' ? [] : [{ level: 'warning', message: messageOf(itself) }]),
    ...notes.map((note) => ({ level: 'note', message: messageOf(note) })),
  ]
  return {
    commandLine: printable(commandOf(document).map(shellWord).join(' ')),
    executionSuccessful: complete,
    exitCode: complete ? Number(failed) : 130,
    exitCodeDescription: !complete
      ? 'interrupted'
      : failed
        ? 'a failure was confirmed'
        : trace
          ? verdictOf(document)
          : 'no failure was found',
    workingDirectory: { uri: folderUri(root) },
    ...(Number.isNaN(begun)
      ? {}
      : { startTimeUtc: new Date(begun).toISOString(), endTimeUtc: new Date(begun + seconds * 1000).toISOString() }),
    ...(notices.length > 0 ? { toolExecutionNotifications: notices } : {}),
  }
}

const LEVELS: Readonly<Record<string, string>> = { FAILED: 'error', REPRODUCED: 'warning' }

function resultOf(finding: FindingDocument, document: CheckDocument): object {
  const { status, kind, pattern, fingerprint, replays, failure, violation, note, branch, test, earlier, count, also = [], label } = finding
  const rate = rateOf(replays)
  const said = [
    sentenceOf(finding, lineIn(document)),
    failure && failure.how !== 'violation' && status === 'FAILED' ? `${failureLine(failure)}.`.replace(/([.!?])\.$/, '$1') : '',
    proofText(finding.proof),
    note ?? '',
    `${status}${rate === '' ? '' : ` ${rate}`}. ${replayLine(finding)}`.trimEnd(),
    also.length === 0 ? '' : `${alsoText(also)}.`,
  ]
  const [first, ...others] = sitesWithPlace(finding, document)
  const location = first === undefined ? undefined : locationOf(first, document)
  const thrown = failure?.detail.map(stackSite).find((site) => site !== undefined)
  const related = [
    ...others.map((site) => locationOf(site, document, partOf(site, finding))),
    thrown === undefined ? undefined : locationOf(thrown, document, 'where it failed'),
  ].filter((at): at is SarifLocation => at !== undefined)
  const letters = chainLetters([...finding.observed, ...finding.failing])
  const flows = [
    flowOf('The recorded run, which passed', finding.observed, letters, document),
    flowOf(status === 'FAILED' ? 'The order that fails' : 'The order that was predicted', finding.failing, letters, document),
  ].filter((flow) => flow !== undefined)
  const stacks = (violation?.events ?? [])
    .map(({ name, stack }, i) => ({
      message: messageOf(`${i + 1}. ${name} of ${violation!.property}`),
      frames: stack.flatMap((site) => {
        const at = locationOf(site, document)
        return at ? [{ location: at }] : []
      }),
    }))
    .filter(({ frames }) => frames.length > 0)
  return {
    level: LEVELS[status] ?? 'note',
    message: messageOf(said.filter((text) => text !== '').join(' ')),
    ...(status === 'IGNORED' ? { suppressions: [{ kind: 'external', status: 'accepted', justification: printable(note ?? '') }] } : {}),
    ...(location ? { locations: [location] } : {}),
    ...(related.length > 0 ? { relatedLocations: related.map((at, i) => ({ id: i + 1, ...at })) } : {}),
    partialFingerprints: { 'heddleFingerprint/v1': fingerprint },
    ...(flows.length > 0 ? { codeFlows: flows } : {}),
    ...(stacks.length > 0 ? { stacks } : {}),
    properties: {
      status,
      kind,
      pattern,
      label,
      replays,
      ...(finding.schedule ? { replayCommand: replayCommand(fingerprint) } : {}),
      ...(also.length === 0 ? {} : { also: also.map((other) => other.fingerprint) }),
      earlier,
      count,
      ...(failure ? { failure: failure.how } : {}),
      ...(branch && 'class' in branch ? { branch: branch.class } : {}),
      ...(test ? { test } : {}),
    },
  }
}

/** Those that stand in a file first. Code scanning takes no result without a file: then it is the test or the program. */
function sitesWithPlace({ sites, test }: FindingDocument, document: CheckDocument): string[] {
  const inFile = (site: string): boolean => locationOf(site, document)?.physicalLocation !== undefined
  const known = [...new Set(sites)]
  const program = document.command.find((word) => /\.[cm]?[jt]sx?$/.test(word))
  const instead = [test?.file, program].filter((file) => file !== undefined).map((file) => `${file}:1`)
  const first = [...known, ...instead].find(inFile)
  return first === undefined ? known : [first, ...known.filter((site) => site !== first)]
}

/** What happens at a place of a finding. */
function partOf(site: string, { observed, failing }: FindingDocument): string {
  for (const { accesses } of [...observed, ...failing])
    for (const { access, verb, location, site: at } of accesses) if (at === site) return `${doing(access, verb)} ${location}`
  return 'leads there'
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  lock: ['acquire', 'lock'],
  unlock: ['release', 'lock'],
  call: ['call', 'function'],
  return: ['return', 'function'],
  read: ['memory', 'value'],
  write: ['memory', 'value'],
}

function flowOf(message: string, steps: readonly OrderRow[], letters: ReadonlyMap<string, string>, document: CheckDocument) {
  const locations: object[] = []
  for (const { chain, name, posted, accesses } of steps) {
    const who = `${letters.get(chain)} (${name})`
    const rows: readonly OrderAccess[] = accesses.length > 0 ? accesses : [{ access: '', location: '', site: posted.split(' < ')[0]! }]
    for (const { access, verb, location, value, site } of rows) {
      const text = access === '' ? `${who} runs` : `${who} ${doing(access, verb)} ${location}${value === undefined ? '' : ` = ${value}`}`
      locations.push({
        executionOrder: locations.length + 1,
        importance: 'essential',
        ...(Object.hasOwn(KINDS, access) ? { kinds: KINDS[access] } : {}),
        location: locationOf(site, document, text) ?? { message: messageOf(text) },
        ...(value === undefined ? {} : { state: Object.fromEntries([[printable(location), messageOf(value)]]) }),
      })
    }
  }
  if (locations.length === 0) return undefined
  const left = locations.length - MOST_STEPS
  return {
    message: messageOf(left > 0 ? `${message}; ${left} more steps are left out` : message),
    threadFlows: [{ locations: locations.slice(0, MOST_STEPS) }],
  }
}
