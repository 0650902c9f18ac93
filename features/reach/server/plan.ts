import { type RawBuilder, sql } from 'kysely'
import { type ReachClass, stepsOfPlan } from '../kinds.ts'

/** The steps of a class at organisation `c`, as JSON. A change counts at once, from the step whose turn it is. */
export function stepsOf(reachClass: RawBuilder<unknown>): RawBuilder<unknown> {
  const chosen = sql`(c.reach -> 'plans' -> ${reachClass})`
  return sql`(case when jsonb_typeof(${chosen}) = 'array' then ${chosen}
    else ${JSON.stringify(stepsOfPlan)}::jsonb -> coalesce(${chosen} #>> '{}', 'as_before') -> ${reachClass} end)`
}

/** After how many seconds the first step of a class is due at organisation `c`. Null: the class has no steps. */
export const firstSeconds = (reachClass: ReachClass): RawBuilder<number | null> =>
  sql`(${stepsOf(sql`${reachClass}::text`)} -> 0 ->> 'seconds')::int`

/** When the step 'next' of the alert is due at organisation `c`. Null: there is none, and all are called at the start. */
export const nextSeconds: RawBuilder<number | null> = sql`(
  select (s ->> 'seconds')::int from jsonb_array_elements(${stepsOf(sql`'report_in'::text`)}) s where s ->> 'way' = 'next' limit 1)`
