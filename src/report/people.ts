/**
 * The participants of a finding, as a sentence names them: requests, calls of a function, threads. Also part of the HTML report, so it uses nothing
 * of Node.
 */
import type { OrderRow } from '../schedule/order.ts'
import { placeOf } from '../trace/site.ts'

export interface People {
  /** `the second`, `thread 2`, `list()`. */
  one(row: OrderRow): string
  /** By itself, as in a legend: `second call of buy()`, `thread 2`, `list()`. */
  each(row: OrderRow): string
  /** `Two calls of buy()`, `thread 1 and thread 2`, `list() and forget()`. */
  readonly both: string
}

const REQUEST = /^[A-Z]{3,7} \S/
const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

export const numberWord = (n: number): string => NUMBERS[n] ?? String(n)

/** `rows`: of the two that matter, in the recorded order. Those of one chain are one. */
export function peopleOf(rows: readonly OrderRow[]): People {
  const chains = [...new Map(rows.map((row) => [row.chain, row])).values()]
  const names = chains.map(nameOf)
  const alike = names.length > 1 && names.every((name) => name === names[0]) && !chains.some(isThread)
  if (alike) {
    const [name] = names as [string]
    const [many, one] = REQUEST.test(name)
      ? [`requests ${name}`, name]
      : name.endsWith('()')
        ? [`calls of ${name}`, `call of ${name}`]
        : [`times ${name}`, name]
    const place = (row: OrderRow): string => ORDINALS[chains.findIndex(({ chain }) => chain === row.chain)] ?? 'last'
    return { both: `${numberWord(names.length)} ${many}`, one: (row) => `the ${place(row)}`, each: (row) => `${place(row)} ${one}` }
  }
  return { both: [...new Set(names)].join(' and '), one: nameOf, each: nameOf }
}

/** A step of a thread is named by the thread; of an event loop by the turn. */
export const isThread = ({ turn, chain }: OrderRow): boolean => turn.label === chain

/** `POST /orders/7`, `thread 2`, `buy()`; of code outside any function what runs there. */
function nameOf(row: OrderRow): string {
  if (isThread(row)) return row.name
  if (REQUEST.test(row.name)) return row.name.replace(/ \(\d+(?:st|nd|rd|th)\)$/, '')
  const sites = [...row.accesses.slice(0, 1).map(({ site }) => site), ...row.posted.split(' < ')]
  const called = sites.map((site) => placeOf(site)?.name.replace(/^(?:async |new |Object\.|Module\.)+/, '') ?? '').find(isFunction)
  if (called !== undefined) return `${called}()`
  return row.name === 'main' ? 'the main script' : row.name.replace(/, outside the loop$/, '')
}

const isFunction = (name: string): boolean => /^[\w$.#]+$/.test(name) && name !== 'main'
