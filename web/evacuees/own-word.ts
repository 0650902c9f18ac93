/** A number can be forged and a phone lent, so no one should take these for a warden's own eyes. */
export function ownWordOf({ by_sms, by_page }: { by_sms?: boolean; by_page?: boolean }): string | undefined {
  if (by_page) return 'own page, unverified'
  return by_sms ? 'by SMS, unverified' : undefined
}
