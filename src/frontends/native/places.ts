/**
 * Addresses of sites in the source, from all runs so far: a replay may reach code that the recorded run did not, and then a line may have more
 * addresses.
 */
export class Places {
  readonly all = new Map<string, readonly string[]>()
  private readonly added = new WeakSet<object>()

  add(places: ReadonlyMap<string, readonly string[]> | undefined): void {
    if (!places || this.added.has(places)) return
    this.added.add(places)
    for (const [site, addresses] of places) this.all.set(site, [...new Set([...(this.all.get(site) ?? []), ...addresses])])
  }
}
