import type { Administrator } from '#server/administrators/administrator.ts'

/** Which files an administrator may bring in. The reason of one that is left out, else null. */
export const mayBring =
  ({ reach, seesPlans }: Pick<Administrator, 'reach' | 'seesPlans'>) =>
  (file: string): string | null => {
    if (reach.kind !== 'organisation' && file !== 'people.csv' && file !== 'assignments.csv')
      return 'You can upload people.csv and assignments.csv only.'
    return file === 'peeps.csv' && !seesPlans ? 'Plans need the Plans permission.' : null
  }
