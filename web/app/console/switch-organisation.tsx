import { useState } from 'react'
import type { Me, NextStep } from '#features/sign-in/calls/console-sign-in.ts'
import { SecondStep } from '#features/sign-in/console/second-step.tsx'
import { toastFailure } from '../../console/toast-done.ts'
import { useOneAction } from '../../lib/one-action.ts'
import { navigate } from '../../pages/navigate.ts'
import { consoleCall } from '../../session/console-session.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'

/** Another organisation of the same password. Its own second factor follows. */
export function SwitchOrganisation({ me }: { me: Me }) {
  const [step, setStep] = useState<NextStep | null>(null)
  const { run } = useOneAction<'switch'>()
  if (me.organisations.length === 0) return null
  const choose = (client: Me['organisation']['uid']) =>
    void run('switch', async () => {
      try {
        setStep(await consoleCall('POST /api/console/switch', { body: { client } }))
      } catch (error) {
        toastFailure(error)
      }
    })
  return (
    <>
      <SelectField
        label="Organisation"
        value={me.organisation.uid}
        options={[me.organisation, ...me.organisations].map(({ uid, name }) => ({ value: uid, label: name }))}
        onChange={choose}
      />
      <Dialog open={step !== null} onClose={() => setStep(null)} title="Switch organisation">
        {step && <SecondStep step={step} onOpened={() => navigate('/console')} onOver={() => setStep(null)} />}
      </Dialog>
    </>
  )
}
