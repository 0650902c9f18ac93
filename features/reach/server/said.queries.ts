import { type RawBuilder, sql } from 'kysely'
import { wordOfInstruction } from '#features/command/instruction-word.ts'
import { instructionKinds } from '#features/command/kinds.ts'
import { callWords } from '../words.ts'

const instructionWord = sql`case i.kind ${sql.join(
  instructionKinds.map((kind) => sql`when ${kind} then ${wordOfInstruction(kind)}`),
  sql` `,
)} end`

/** The words of reach `one`: those of its first text, or of what it is about. A repeat asks nothing anew. */
const wordsOf = (appUrl: string) => sql`
  case one.class
    when 'instruction' then (select ${instructionWord} || '. ' || i.message from instruction i
      where i.client_uid = one.client_uid and i.uid = one.about::uuid)
    when 'message' then (select m.text from message m where m.client_uid = one.client_uid and m.seq = one.about::bigint)
    when 'offer' then (select 'Can you take ' || coalesce(f.name || ', ', '') || b.name || '? Open the app: ' || ${appUrl}::text
      from floor_offer o
      join building b on b.client_uid = o.client_uid and b.uid = o.building_uid
      left join floor f on f.client_uid = o.client_uid and f.uid = o.floor_uid
      where o.client_uid = one.client_uid and o.uid = one.about::uuid)
    else first.body end`

/** Without the link and what leads to it: a link is for the own phone alone, and no voice can say it. */
const withoutLink = (appUrl: string) =>
  sql`regexp_replace(${wordsOf(appUrl)}, '(\\s*(Report in:|Open the app:))?\\s*(\\{\\w+\\}|https?://\\S+)', '', 'g')`

/** The text of reach `one` on its step. */
export const bodyOf = (appUrl: string): RawBuilder<string> => sql`
  case when one.way = 'second_text' then ${withoutLink(appUrl)} else ${wordsOf(appUrl)} end`

/** What a call says before the keys: the words of a message to a warden may name people, and anyone may hear them. */
const spoken = (appUrl: string) => sql`case when one.class = 'message' then ${callWords.message}
  else regexp_replace(regexp_replace(${withoutLink(appUrl)}, '\\s*Reply 1 .*$', ''), '([^.!?])\\s*$', '\\1.') end`

/** What a call of reach `one` says, at organisation `c`. */
export const sayOf = (appUrl: string): RawBuilder<string> => sql`
  'This is ' || c.name || '. '
  || case when exists (select from event e where e.client_uid = one.client_uid and e.uid = one.event_uid and e.kind = 'drill')
    then ${callWords.drill} else '' end
  || ${spoken(appUrl)} || ' '
  || case one.class when 'report_in' then ${callWords.keys.report_in} when 'command' then ${callWords.keys.command}
    when 'ask' then ${callWords.keys.ask}
    when 'offer' then replace(${callWords.keys.offer}, '{floor}', (
      select coalesce(f.name, b.name) from floor_offer o
      join building b on b.client_uid = o.client_uid and b.uid = o.building_uid
      left join floor f on f.client_uid = o.client_uid and f.uid = o.floor_uid
      where o.client_uid = one.client_uid and o.uid = one.about::uuid))
    else ${callWords.keys.instruction} end`
