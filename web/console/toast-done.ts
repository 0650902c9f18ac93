import { consoleSentence } from '../session/console-session.ts'
import { toast } from '../ui/toast.tsx'

/** What has been done, such as 'Saved.': in place of the one before, so that it covers one line at most. */
export const toastDone = (text: string) => toast(text, { variant: 'success', slot: 'done' })

/** Why it has not been done: `await save().catch(toastFailure)`. */
export const toastFailure = (error: unknown) => toast(consoleSentence(error), { variant: 'danger' })
