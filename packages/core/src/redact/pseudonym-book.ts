/** Who gives secrets their pseudonyms in one run. Secrets never leave it. */
export interface PseudonymBook {
  /**
   * The pseudonym of a secret under a rule; the same secret under the same rule gets the same one.
   * @param kept the readable part a rule's `keep` asks for, `''` for none
   */
  pseudonym(rule: string, secret: string, kept?: string): string
}
