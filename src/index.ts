/** Heddle as a library: docs/api.md. */
export { check, type CheckOptions } from './api/check.ts'
export { record, readRecording, type RecordOptions } from './api/record.ts'
export { predict, type PredictRunOptions, type PredictTraceOptions } from './api/predict.ts'
export { replay, type ReplayOptions, type ReplayResult } from './api/replay.ts'
export { loadConfig, type LoadedConfig, type TestConfig } from './config/config.ts'
export { defineConfig, type CheckSettings, type Config, type RecordSettings, type TestSettings } from './config/define.ts'
export { HeddleError } from './errors.ts'
export type { OnProgress, Phase, Progress } from './progress.ts'
export type { Recording } from './frontends/contract.ts'
export type { Failure, Outcome } from './confirm/outcome.ts'
export type { Status } from './confirm/confirm.ts'
export type { CheckDocument, FindingDocument, SourceExcerpt } from './report/document.ts'
/** HTML, SARIF, JUnit, Markdown, Perfetto and JSON: the extension of the file says which. */
export { writeReport } from './report/write.ts'
export { readDocument } from './report/read-document.ts'
export type { Schedule } from './schedule/schedule.ts'
/** The property language: `properties.parse`, `properties.format`, and builders such as `properties.property`. */
export * as properties from './property/language.ts'

// The parts, for traces of one's own.
export { check as checkProgram, type CheckOptions as CheckProgramOptions, type CheckResult } from './check.ts'
export { openTrace } from './trace/open.ts'
export { parseStd, readStdStream } from './trace/import/std.ts'
export { writeStd } from './trace/import/std-write.ts'
export { parseText } from './trace/text.ts'
export { drawTrace, type DrawOptions } from './trace/draw.ts'
export { writeTrace } from './trace/file.ts'
export { TraceBuilder } from './trace/builder.ts'
export { validate } from './trace/validate.ts'
export { OPS, type OpRow } from './trace/ops.ts'
export { NONE, Trace, type EventId, type OrderKind, type TaskId, type TraceFacts } from './trace/trace.ts'
export {
  predict as predictTrace,
  type PredictOptions,
  type Predictions,
  type Witnessed,
  type Progress as TraceProgress,
} from './predict/predict.ts'
export { explain, type Explanation } from './predict/explain.ts'
export { Coverage, type CoverageRow, type SavedCoverage, type SavedRow } from './coverage.ts'
export type { Answer, Stage } from './predict/decide/answer.ts'
export { KINDS, type Candidate, type Demands, type Kind, type Witness } from './witness/candidate.ts'
export { MODELS, type Model } from './trace/model.ts'
export { declaredIn, traceDocument, type TraceCircumstances } from './report/trace-finding.ts'
export { predictionText } from './report/prediction-text.ts'
