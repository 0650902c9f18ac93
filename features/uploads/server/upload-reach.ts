import type { Administrator } from '#server/administrators/administrator.ts'

/** Which files an administrator may bring in. The reason of one that is left out, else null. */
export const mayBring =
  ({ reach, seesPlans }: Pick<Administrator, 'reach' | 'seesPlans'>) =>
  (file: string): string | null => {
    if (reach.kind !== 'organisation' && file !== 'people.csv' && file !== 'assignments.csv')
      return 'Your grant brings in people.csv and assignments.csv.'
    return file === 'peeps.csv' && !seesPlans ? 'Plans need the Plans mark.' : null
  }
