import { Flag } from 'lucide-react'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { StatusBadge } from '../evacuees/status-badge.tsx'
import { type Status, statusLook } from '../evacuees/status-look.ts'
import { chooseTheme } from '../lib/look/theme.ts'
import { LiveBar } from '../live/live-bar.tsx'
import { TopBar } from '../live/top-bar.tsx'
import { expectNoAxeViolations } from '../testing/axe.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { AsOf } from './as-of.tsx'
import { Button, type ButtonVariant } from './button.tsx'
import { Checkbox } from './fields/checkbox.tsx'
import { SearchBox } from './fields/search-box.tsx'
import { SelectField } from './fields/select-field.tsx'
import { TextArea, TextField } from './fields/text-field.tsx'
import { ToggleChoice } from './fields/toggle-choice.tsx'
import { IconButton } from './icon-button.tsx'
import { Notice } from './notice.tsx'
import { Page } from './page.tsx'
import { AlertModal } from './popups/alert-modal.tsx'
import { BottomSheet, SheetChoice } from './popups/bottom-sheet.tsx'
import { ConfirmDialog } from './popups/confirm-dialog.tsx'
import { Dialog } from './popups/dialog.tsx'
import { InfoPopup } from './popups/info-popup.tsx'
import { Section } from './section.tsx'
import { Skeleton } from './skeleton.tsx'
import { Spinner } from './spinner.tsx'
import { toast } from './toast.tsx'

const nothing = () => undefined
const variants: ButtonVariant[] = ['green', 'red', 'yellow', 'orange', 'grey', 'blue', 'quiet', 'outline']
const options = [
  { value: 'a', label: 'Everyone' },
  { value: 'b', label: 'No one' },
]
const parts: Record<string, ReactElement> = {
  buttons: (
    <>
      {variants.map((variant) => (
        <Button key={variant} variant={variant} icon={Flag}>
          {variant}
        </Button>
      ))}
      <Button busy>Busy</Button>
      <IconButton icon={Flag} label="Flag" />
    </>
  ),
  fields: (
    <>
      <TextField label="Mobile" value="1" error="Wrong" onChange={nothing} />
      <TextArea label="Reason" placeholder="Please enter a reason" value="" onChange={nothing} />
      <SelectField label="Floor" value="a" options={options} hint="Hint" onChange={nothing} />
      <SearchBox label="Search PEEPS" value="" onChange={nothing} onRefresh={nothing} />
      <Checkbox label="Tower A" checked indeterminate onChange={nothing} />
      <ToggleChoice legend="Broadcast" options={options} value="a" onChange={nothing} />
      <ToggleChoice legend="SMS" options={options} value="b" onChange={nothing} readOnly />
    </>
  ),
  'bar, sections and notices': (
    <>
      <TopBar title="Floor Evacuation" left={<IconButton icon={Flag} label="Back" plain />} />
      <LiveBar trouble="offline" asOf={0} pending={1} />
      <Page>
        <Section title="All Occupants" count={2} defaultOpen>
          <p>Amelia</p>
        </Section>
        <Notice variant="warning">Careful</Notice>
        <Notice variant="danger">Broken</Notice>
        <AsOf at={1} stale />
        <Skeleton />
        <Spinner label="Loading..." />
        <p>
          {Object.keys(statusLook).map((status) => (
            <StatusBadge key={status} status={status as Status} />
          ))}
        </p>
      </Page>
    </>
  ),
  'error alert': <AlertModal alert={{ variant: 'error', text: 'Wrong' }} onClose={nothing} />,
  'locked alert': <AlertModal alert={{ variant: 'warn', text: 'Wait' }} button="4:59" locked onClose={nothing} />,
  'success alert': <AlertModal alert={{ variant: 'success', text: 'Done' }} onClose={nothing} />,
  'info popup': (
    <InfoPopup open title="no current event" onClose={nothing}>
      There is none.
    </InfoPopup>
  ),
  'confirm dialog': (
    <ConfirmDialog open title="Sure?" confirm="Yes" onConfirm={nothing} onCancel={nothing}>
      Really
    </ConfirmDialog>
  ),
  'bottom sheet': (
    <BottomSheet open title="Amelia" onClose={nothing}>
      <SheetChoice icon={Flag} className={statusLook.safe.className} first onChoose={nothing}>
        Safe on floor
      </SheetChoice>
      <SheetChoice icon={Flag} onChoose={nothing}>
        Record refusal
      </SheetChoice>
    </BottomSheet>
  ),
  'side drawer': (
    <Dialog kind="side" open title="Menu" onClose={nothing}>
      <p>Entries</p>
    </Dialog>
  ),
}

const cases = Object.entries(parts).flatMap(([name, part]) =>
  (['dark', 'light'] as const).map((theme) => ({ name, theme, part })),
)
test.each(cases)('UI axe finds nothing in $name, $theme', async ({ theme, part }) => {
  chooseTheme(theme)
  await renderScreen(part)
  await expectNoAxeViolations()
})

test('UI axe finds nothing in the toasts', async () => {
  await renderScreen(<Page>Content</Page>)
  toast('Failed to send message', { variant: 'danger', delay: 1000 })
  toast('Message sent', { variant: 'success', delay: 1000 })
  toast('Amelia is safe', { delay: 1000, action: { label: 'Undo', onAct: nothing } })
  await expect.element(page.getByText('Amelia is safe')).toBeVisible()
  await expectNoAxeViolations()
})

const small = (element: Element) => {
  const { width, height } = element.getBoundingClientRect()
  return width < 48 || height < 48
}
test.each(Object.entries(parts))('UI every control in %s is at least 48 px', async (_, part) => {
  await renderScreen(part)
  const targets = [
    ...document.querySelectorAll('button, a, select, label:has(input[type=checkbox], input[type=radio])'),
  ]
  expect(targets.filter(small).map((target) => target.outerHTML)).toEqual([])
})
