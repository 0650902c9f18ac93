import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import type { EventUid } from '#kernel/ids.ts'
import { usePageParameters } from '#web/pages/use-page-parameters.ts'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { EventRecord } from '../calls/record.ts'
import type { RecordReplay } from '../calls/replay.ts'
import { sayOfRecord } from '../doing.ts'
import './parts/styles.ts'
import { addStyles } from '#web/lib/add-styles.ts'
import { timesOf } from '../times.ts'
import { recordQuery, replayQuery } from './parts/records.data.ts'
import { Nothing, Offline } from './parts/remarks.tsx'
import { SayContext } from './parts/say.ts'
import { Trouble } from './parts/trouble.tsx'
import { Controls } from './replay/controls.tsx'
import looks from './replay/replay.css?inline'
import { absenceOf, boardOf, momentsOf, wordsOf } from './replay/replay-board.ts'
import { Building } from './replay/replay-building.tsx'
import { usePlaying } from './replay/use-playing.ts'

addStyles(looks)

/** The event once more, step by step. */
export function ReplayScreen() {
  const event = usePageParameters().eventUid as EventUid
  const { data: answer } = useQuery(recordQuery(event))
  const read = useQuery(replayQuery(event))
  const isMissing = read.error instanceof ApiError && read.error.code === 'not_found'
  const record = answer?.record
  return (
    <Page className="rec-page">
      <Trouble answer={answer} />
      <Offline />
      {isMissing ? (
        <Nothing>This record has no replay.</Nothing>
      ) : (
        <WhenRead read={{ ...read, data: record ? read.data : undefined }} parts={['line', 'card', 'card']}>
          {(replay) => record && <Replay replay={replay} record={record} />}
        </WhenRead>
      )}
    </Page>
  )
}

function Replay({ replay, record }: { replay: RecordReplay; record: EventRecord }) {
  const { steps, stepSeconds, places, statuses } = replay
  const playing = usePlaying(steps, stepSeconds)
  const boardAt = useMemo(() => boardOf(replay), [replay])
  const moments = useMemo(() => momentsOf(replay, record), [replay, record])
  const ticks = useMemo(() => [...moments.keys()].toSorted((a, b) => a - b), [moments])
  const times = timesOf(record)
  const { step } = playing
  const secondsAt = (nth: number) => (nth === 0 ? 0 : Math.min(record.seconds, (nth + 1) * stepSeconds))
  const timeAt = (nth: number) =>
    times.short(new Date(Date.parse(record.started_at) + secondsAt(nth) * 1000).toISOString())
  const cells = boardAt(step)
  const buildings = Map.groupBy(
    places.map((place, nth) => ({ place, cell: cells[nth] })),
    ({ place }) => place.building,
  )
  const atHand = ticks.findLast((tick) => tick <= step)
  const say = useMemo(() => sayOfRecord(record), [record])
  return (
    <SayContext value={say}>
      <div className="grid grid-cols-1 gap-4">
        <div className="rpl-stays">
          <p className="rec-band" data-kind={record.kind}>
            REPLAY of Record {record.number}
          </p>
          <p aria-live="polite" className="rpl-moment">
            {atHand !== undefined && `${timeAt(atHand)} ${wordsOf(moments.get(atHand) ?? [])}`}
          </p>
        </div>
        {places.length === 0 && <Nothing>No floors of the event are in your areas.</Nothing>}
        <div className="rpl-buildings">
          {[...buildings].map(([uid, of]) => {
            const shown = of.flatMap(({ place, cell }) => (cell ? [{ place, cell }] : []))
            const moves = record.buildings.find(({ id }) => id === uid)
            return (
              <Building
                key={uid}
                name={of[0]?.place.building_name ?? ''}
                places={shown}
                statuses={statuses}
                absence={moves && absenceOf(moves, shown, secondsAt(step))}
              />
            )
          })}
        </div>
        <p className="text-sm text-muted">{times.zone}</p>
        <Controls playing={playing} steps={steps} ticks={ticks} clock={timeAt(step)} />
      </div>
    </SayContext>
  )
}
