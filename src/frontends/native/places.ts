/** Addresses of places in the source, of all runs so far: a replay comes to code that the recorded run did not reach, and a line that it shares with other code has more addresses then. */
export class Places {
  readonly all = new Map<string, readonly string[]>()
  private readonly added = new WeakSet<object>()

  add(places: ReadonlyMap<string, readonly string[]> | undefined): void {
    if (!places || this.added.has(places)) return
    this.added.add(places)
    for (const [site, addresses] of places) this.all.set(site, [...new Set([...(this.all.get(site) ?? []), ...addresses])])
  }
}
