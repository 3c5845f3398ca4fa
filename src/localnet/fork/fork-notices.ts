const MAX_SHOWN = 10;

/** Collects what is left out of a fork by its reason, so that a whole state does not fill the log. */
export class ForkNotices {
  private readonly byReason = new Map<string, string[]>();

  add(reason: string, what: string): void {
    const known = this.byReason.get(reason);
    if (known) known.push(what);
    else this.byReason.set(reason, [what]);
  }

  /** One line for each reason. */
  lines(): string[] {
    return [...this.byReason].map(([reason, all]) => {
      const more = all.length - MAX_SHOWN;
      return `${reason}: ${all.slice(0, MAX_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    });
  }
}
