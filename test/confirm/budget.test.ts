/** Once something failed, a part of what is left is for its cause. */
import { describe, expect, test } from 'vitest'
import { mayTry, newBudget, type Budget } from '../../src/confirm/budget.ts'

const budgetOf = (replays: number, timeMs: number): Budget =>
  newBudget(performance.now(), { meets: () => true }, 100, { timeMs, replays, maxFindings: 10, confirm: 3 })

describe('what is left', () => {
  test('is for other orders as long as nothing failed', () => {
    const budget = budgetOf(30, 60_000)
    budget.replaysLeft = 1
    expect(mayTry(budget)).toBe(true)
    budget.replaysLeft = 0
    expect(mayTry(budget)).toBe(false)
  })

  test('is for the cause of what failed, a third of all', () => {
    const budget = budgetOf(30, 60_000)
    budget.failed?.()
    budget.replaysLeft = 11
    expect(mayTry(budget)).toBe(true)
    budget.replaysLeft = 10
    expect(mayTry(budget)).toBe(false)
  })

  test('of very many replays no more than a cause takes', () => {
    const budget = budgetOf(1000, 60_000)
    budget.failed?.()
    budget.replaysLeft = 25
    expect(mayTry(budget)).toBe(true)
  })

  test('of the time as well', () => {
    const budget = newBudget(performance.now() - 45_000, { meets: () => true }, 100, {
      timeMs: 60_000,
      replays: 100,
      maxFindings: 10,
      confirm: 3,
    })
    expect(mayTry(budget)).toBe(true)
    budget.failed?.()
    expect(mayTry(budget)).toBe(false)
  })

  test('grows on a busy machine, where nobody has given a time', () => {
    const deadline = (isTimeSaid: boolean): number => {
      const options = { timeMs: 60_000, isTimeSaid, replays: 100, maxFindings: 10, confirm: 3 }
      const budget = newBudget(0, { meets: () => true }, 100, options, () => 3)
      expect(budget.deadline).toBe(60_000)
      budget.failed?.()
      return budget.deadline
    }
    expect([deadline(false), deadline(true)]).toEqual([180_000, 60_000])
  })
})
