import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { wordOfInstruction } from '#features/command/instruction-word.ts'
import type { InstructionKind } from '#features/command/kinds.ts'
import { ApiError } from '#kernel/client/client.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { formatMinute } from '#web/lib/time/server-clock.ts'
import { useLoadingWords } from '#web/lib/use-online.ts'
import type { BoardPanel } from '../../calls/board-panel.ts'
import { causesInOrder, causeWords } from '../../words.ts'
import type { BuildingShown, FloorShown } from '../matrix/floors.ts'
import { age, counted } from '../parts/ages.ts'
import { FloorActs } from './floor-acts.tsx'
import { panelQuery } from './panel.data.ts'

interface FloorPanelProps {
  building: BuildingShown
  shown: FloorShown
  /** What the floor was told last. */
  told: InstructionKind | undefined
  /** The database's time. */
  now: number
}

/** The selected row: status, people, wardens, and what the reader can do. */
export const FloorPanel = (props: FloorPanelProps) => <Row key={props.shown.place.id} {...props} />

function Row({ building, shown, told, now }: FloorPanelProps) {
  const { id } = shown.place
  const loading = useLoadingWords()
  const { data, error, refetch } = useQuery(panelQuery(id))
  // The row is a new object only when it changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is the reason to ask
  useEffect(() => {
    void refetch()
  }, [shown.floor, refetch])
  if (error instanceof ApiError && error.code === 'not_found') return <Left />
  return (
    <>
      {!data && !error && <p role="status">{loading}</p>}
      {data && <Facts panel={data} building={building} told={told} now={now} />}
      {error && (
        <p role="status" className="bd-failed">
          {sentenceFor(error)}
        </p>
      )}
      <FloorActs place={id} isFloor={shown.status !== undefined} isQuiet={building.isQuiet} panel={data} />
    </>
  )
}

export const Left = () => <p role="status">This floor has left the event.</p>

interface FactsProps extends Pick<FloorPanelProps, 'told' | 'now'> {
  panel: BoardPanel
  building: BuildingShown
}

function Facts({ panel, building: { isWhole, say }, told, now }: FactsProps) {
  const { status, people, refused, plans, unknown_by_cause: causes } = panel
  const { wardens, calls, hazards, gap_at, claim, offer } = panel
  const ago = (at: string) => age((now - Date.parse(at)) / 1000)
  const said = [
    `${people.danger} in danger, ${people.safe} safe`,
    refused > 0 && `${refused} refused`,
    plans > 0 && `${counted(plans, 'needs', 'need')} help to get out`,
  ].map((words) => words && say(words))
  const why = causesInOrder.filter((cause) => causes[cause] > 0).map((cause) => `${causes[cause]} ${causeWords[cause]}`)
  return (
    <dl>
      {calls.length > 0 && (
        <Fact name="Calls">
          <ul aria-label="Calls for help">
            {calls.map(({ uid, at, name, words, in_drill }) => (
              <li key={uid} className="bd-called">
                <b>Call for help</b>, {ago(at)}
                {in_drill && ', in the drill'}
                {name && `, ${name}`}
                {words && `: “${words}”`}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {status && (
        <Fact name="Status">
          {status.name}
          {status.set &&
            `, ${ago(status.set.at)}, by ${status.set.by}${status.set.role ? ` (${status.set.role})` : ''}`}
        </Fact>
      )}
      <Fact name="Unknown">{[people.unknown, why.join(' · ')].filter((part) => part !== '').join(': ')}</Fact>
      <Fact name="People">
        {said.filter(Boolean).join(', ')}
        {/* no one can look for them on a floor */}
        {!status && '. They have no floor.'}
      </Fact>
      {status && (
        <Fact name="Wardens">
          {wardens.map(({ sign_in, name, on_duty_at, is_claimant }) => (
            <span key={sign_in} className="bd-warden">
              {name}, on duty since {formatMinute(Date.parse(on_duty_at))}
              {is_claimant && ', has taken it'}
              {isWhole && ', for the whole building'}
            </span>
          ))}
          {wardens.length === 0 && (gap_at ? `No one for ${ago(gap_at)}` : 'No one')}
        </Fact>
      )}
      {claim && (
        <Fact name="Taken">
          by {claim.by}, {ago(claim.at)}
        </Fact>
      )}
      {offer && (
        <Fact name="Asked">
          {offer.to}, {ago(offer.at)} ago
        </Fact>
      )}
      {told && <Fact name="Instruction">{wordOfInstruction(told)}</Fact>}
      {hazards.length > 0 && (
        <Fact name="Hazards">
          <ul aria-label="Hazards">
            {hazards.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
