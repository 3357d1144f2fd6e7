/**
 * Functions in statements: those that take locks or change something, and those that are known to do neither. An unknown function may do anything on
 * the server, so its statement is not understood.
 */
import type { Operand } from '../condition.ts'
import { NotRead } from './cursor.ts'
import type { Context } from './scope.ts'

export function callFunction(context: Context, names: readonly string[], args: readonly (Operand | undefined)[]): void {
  const { found, catalogue } = context
  const name = names.at(-1)!.toLowerCase()
  const lock = /^pg_(try_)?advisory_(xact_)?lock(_shared)?$/.exec(name)
  if (lock) {
    found.locks.push({
      of: 'advisory',
      operands: known(args),
      until: lock[2] ? 'transaction' : 'release',
      ...(lock[1] ? { tries: true } : {}),
      ...(lock[3] ? { shared: true } : {}),
    })
  } else if (/^pg_advisory_unlock(_shared)?$/.test(name)) found.unlocks.push({ of: 'advisory', operands: known(args), until: 'release' })
  else if (name === 'pg_advisory_unlock_all' || name === 'release_all_locks')
    found.unlocks.push({ of: 'advisory', operands: [], until: 'release' })
  else if (name === 'get_lock') found.locks.push({ of: 'advisory', operands: known(args.slice(0, 1)), until: 'release', tries: true })
  else if (name === 'release_lock') found.unlocks.push({ of: 'advisory', operands: known(args.slice(0, 1)), until: 'release' })
  else if (name === 'nextval' || name === 'setval') touchNamed(context, 'sequence', args[0], name === 'nextval' ? 'update' : 'write')
  else if (name === 'currval' || name === 'lastval') touchNamed(context, 'sequence', args[0], 'read')
  else if (name === 'pg_notify') touchNamed(context, 'channel', args[0], 'write')
  else if (catalogue.functions.has(name) || !isHarmless(name)) found.understood = false
}

/** A lock whose name is not known could be any. */
function known(args: readonly (Operand | undefined)[]): Operand[] {
  const operands = args.filter((operand) => operand !== undefined)
  if (operands.length < args.length) throw new NotRead()
  return operands
}

function touchNamed({ found }: Context, kind: string, operand: Operand | undefined, access: 'read' | 'write' | 'update'): void {
  const name: Operand | undefined = operand?.kind === 'text' ? { kind: 'text', text: operand.text.replaceAll('"', '') } : operand
  if (name) found.touches.push({ whole: kind, name, condition: [[]], access })
  else found.understood = false
}

/** Families of the servers' own functions and of usual extensions, none of which writes rows. */
const FAMILY =
  /^(st_|json_|jsonb_|array_|regexp_|to_|date_|time_|str_|string_|bit_|bool_|regr_|xml|range_|ts_|uuid|gen_random_|has_|inet_|pg_get_|pg_(table|column|total_relation|relation|database|indexes)_size|obj_description|col_description|current_|group_|percentile_|stddev|var_|variance|covar_|num|text|strict_word_|word_|is_|sha|aes_|row_|format|make_|timezone|int[248]|float[48]|trunc|round|utc_|unix_|from_|last_|hex|soundex|weight_|cot|log)/

const HARMLESS = new Set(
  (
    'abs acos age any_value all any applockcheck ascii asin atan atan2 avg box btrim cardinality cast cbrt ceil ceiling char char_length character_length chr clock_timestamp ' +
    'coalesce collate concat concat_ws connection_id conv convert convert_from convert_to convert_tz corr cos count crc32 crypt cume_dist curdate curtime database datediff date datetime ' +
    'day dayname dayofmonth dayofweek dayofyear decode decrypt degrees dense_rank digest div elt encode encrypt enum_range every exists exp export_set extract factorial field find_in_set ' +
    'first_value floor found_rows gcd generate_series generate_subscripts gen_salt get_byte getdate glob greatest grouping highlight hmac hour if ifnull iif in initcap insert instr interval ' +
    'isempty isfinite isnull jaro_winkler julianday json jsonb justify_days justify_hours justify_interval lag last_value lastval lcase lcm lead least left length levenshtein like likelihood ' +
    'likely ln locate lower lower_inc lpad ltrim make_set makedate maketime matches max md5 metaphone microsecond mid min minute mod mode month monthname name_const nextafter now nth_value ntile ' +
    'nullif nvl object_id oct octet_length ord overlay parse_ident password period_add period_diff pi phraseto_tsquery plainto_tsquery point polygon position pow power printf pg_backend_pid ' +
    'pg_blocking_pids pg_terminate_backend pg_cancel_backend pg_listening_channels pg_column_size pg_conf_load_time pg_encoding_to_char pg_is_in_recovery pg_my_temp_schema pg_postmaster_start_time pg_sleep pg_table_is_visible pg_typeof pg_type_is_visible ' +
    'pg_function_is_visible pg_size_pretty pg_char_to_encoding pg_advisory pg_current_snapshot pg_current_xact_id pg_stat_get_activity quarter quote quote_ident quote_literal quote_nullable radians ' +
    'rand random randomblob rank regclass regtype repeat replace reverse right rpad rtrim schema scale second sec_to_time session_user set_bit set_byte shobj_description show_trgm sign similarity ' +
    'sin sleep snippet space split_part sqlite_version sqrt starts_with statement_timestamp strcmp strftime strpos subdate substr substring subtime sum sysdate system_user tan time timediff ' +
    'timeofday timestamp timestampadd timestampdiff total transaction_timestamp translate translate_regex trim tsvector tsquery setweight websearch_to_tsquery querytree numnode tsvector_to_array ' +
    'txid_current txid_current_snapshot typeof ucase unaccent unhex unicode unistr unlikely unnest upper upper_inc user uuid_generate_v4 uuid_short uuid_to_bin values version week weekday ' +
    'weekofyear width_bucket xmlagg year yearweek zeroblob changes total_changes lo_get bm25 adddate addtime addmonths benchmark bin bin_to_uuid any_value binary bigint integer int smallint ' +
    'varchar numeric decimal real double boolean json_each json_tree rollup cube grouping_sets ltree lquery nlevel subpath subltree earth_distance ll_to_earth hstore akeys avals skeys svals each ' +
    'acldefault aclexplode pg_catalog format_type array_agg object rownum daterange tstzrange tsrange int4range int8range numrange isdistinct nullvalue host hostmask family masklen network ' +
    'netmask broadcast txid_status row sum0 sinh cosh tanh min_scale trim_scale erf random_normal bit_length lseg path circle area center diameter height width radius'
  ).split(' '),
)

export const isHarmless = (name: string): boolean => HARMLESS.has(name) || FAMILY.test(name)
