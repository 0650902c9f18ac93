import { type ReactNode, useEffect, useState } from 'react'
import { unknownCauses } from '#features/board/kinds.ts'
import { causeWords } from '#features/board/words.ts'
import { AskButton } from '#web/evacuees/ask/ask-button.tsx'
import { evacueeWords, recordEvacuee } from '#web/evacuees/evacuee-records.ts'
import { PersonPopups, usePersonPopups } from '#web/evacuees/person-popups.tsx'
import { type PlannedPerson, PlanSheet } from '#web/evacuees/plan/plan-sheet.tsx'
import { useStatusRecords } from '#web/evacuees/safety-records.ts'
import { useIsDesk } from '#web/lib/use-is-wide.ts'
import { useSayTotal } from '#web/live/response.ts'
import { ScreenRecords } from '#web/outbox/screen-records.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Page } from '#web/ui/page.tsx'
import type { AccountedPerson } from '../calls.ts'
import { AccountList } from './account-list.tsx'
import { accountingLists } from './accounting.data.ts'
import { Contradictions } from './contradictions.tsx'
import { PlaceSelect } from './place-select.tsx'
import { BesideList, RecordSheet } from './record-sheet.tsx'
import { Reports } from './reports/reports.tsx'
import { type Chosen, tabWords, useChosen, wantedOf } from './selected-place.ts'
import { Tabs } from './tabs.tsx'

/** Who is unknown, in danger or needs help, what each state is based on, and which records contradict. */
export function AccountingScreen() {
  const chosen = useChosen()
  const { tab, floor, open } = chosen
  const records = useStatusRecords(recordEvacuee, evacueeWords)
  const popups = usePersonPopups()
  const [planned, setPlanned] = useState<PlannedPerson | null>(null)
  const onStatus = ({ id, name, status, on_floor, floor: at }: AccountedPerson) =>
    popups.actions.onStatus({ id, name, status, on_floor, floor: at })
  const { closeSheet } = popups
  const say = useSayTotal()
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another list it would be someone who is not in it
  useEffect(closeSheet, [tab])
  return (
    <Columns hasRecord={tab !== 'reports'}>
      <Tabs chosen={chosen} />
      <div
        role="tabpanel"
        id="accounting-panel"
        aria-labelledby={`accounting-${tab}`}
        className="grid grid-cols-1 gap-4"
      >
        <h2 className="sr-only">{say(tabWords[tab])}</h2>
        {tab !== 'reports' && <Filters chosen={chosen} />}
        {tab === 'reports' ? (
          <Reports chosen={chosen} />
        ) : tab === 'contradictions' ? (
          <Contradictions
            key={open}
            floor={floor}
            opened={open}
            onStatus={onStatus}
            onPlan={setPlanned}
            onResolve={closeSheet}
          />
        ) : (
          <AccountList
            wanted={wantedOf(tab, chosen)}
            label={say(tabWords[tab])}
            pending={records.people}
            onStatus={onStatus}
            onPlan={setPlanned}
          />
        )}
      </div>
      <PersonPopups
        popups={popups}
        people={undefined}
        pending={records.people}
        words={evacueeWords}
        onStatus={records.setStatus}
        frame={RecordSheet}
      />
      <PlanSheet person={planned} onClose={() => setPlanned(null)} />
      <ScreenRecords lists={accountingLists} />
    </Columns>
  )
}

/** At a desk list and record sheet. Reports open no record; the tabs stay in their place all the same. */
function Columns({ hasRecord, children }: { hasRecord: boolean; children: ReactNode }) {
  const isDesk = useIsDesk()
  const isBeside = isDesk && hasRecord
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <Page className={isDesk ? 'grid-cols-[minmax(0,1fr)_clamp(20rem,30vw,26rem)]! gap-x-6' : ''}>
      <BesideList value={isBeside ? place : null}>
        {isDesk ? <div className="grid grid-cols-1 content-start gap-4">{children}</div> : children}
      </BesideList>
      {isBeside && (
        <aside
          aria-label="Record"
          className="sticky top-[calc(var(--bar)+1rem)] max-h-[calc(100dvh-var(--bar)-2rem)] self-start overflow-y-auto"
        >
          <div ref={setPlace} className="peer empty:hidden" />
          <p className="card hidden text-muted peer-empty:block">Nothing is chosen.</p>
        </aside>
      )}
    </Page>
  )
}

const everyCause = 'all'

/** Where, why, and the question to them. */
function Filters({ chosen: { tab, floor, cause, change } }: { chosen: Chosen }) {
  const causes = [
    { value: everyCause, label: 'Every cause' },
    ...unknownCauses.map((value) => ({ value: value as string, label: causeWords[value] })),
  ]
  return (
    <div className="grid grid-cols-1 gap-2 wide:grid-cols-[1fr_auto]">
      <div className="flex gap-2">
        <PlaceSelect value={floor} onChange={(next) => change({ floor: next })} />
        {tab === 'unknown' && (
          <SelectField
            compact
            label="Cause"
            value={cause ?? everyCause}
            options={causes}
            onChange={(next) => change({ cause: next === everyCause ? '' : next })}
          />
        )}
      </div>
      {tab === 'unknown' && <AskButton floors={floor ? [floor] : []} causes={cause ? [cause] : [...unknownCauses]} />}
    </div>
  )
}
