import { Notice } from '../ui/notice.tsx'
import { BottomSheet } from '../ui/popups/bottom-sheet.tsx'
import type { ShownPeep } from './peep-text.ts'

export interface OpenPeep {
  name: string
  plan: ShownPeep
}
interface PeepPopupProps {
  peep: OpenPeep | null
  onClose: () => void
}

/** A person's emergency evacuation plan, in letters that can be read on the run. */
export function PeepPopup({ peep, onClose }: PeepPopupProps) {
  return (
    <BottomSheet open={peep !== null} onClose={onClose} title={peep?.name}>
      {peep?.plan.redacted ? (
        <Notice variant="warning">This phone does not keep the plan. It loads again as soon as there is signal.</Notice>
      ) : (
        peep && <Plan {...peep.plan} />
      )}
    </BottomSheet>
  )
}

function Plan({ disability, assistance, other }: ShownPeep) {
  return (
    <div className="grid gap-4 pb-2">
      <Part heading="Disability or Mobility Impairment" text={disability} />
      <Part heading="Assistance Needed" text={assistance} />
      <Part heading="Other Details" text={other} />
    </div>
  )
}

function Part({ heading, text }: { heading: string; text: string }) {
  return (
    <section>
      <h3 className="text-muted">{heading}</h3>
      <p className="text-lg font-semibold whitespace-pre-line">{text || 'Nothing noted'}</p>
    </section>
  )
}
