import { boardRefusals } from '#features/board/words.ts'
import { commandRefusals } from '#features/command/words.ts'
import { coverageRefusals } from '#features/coverage/words.ts'
import { actionRefusals } from '#features/events/words.ts'
import { recordRefusals } from '#features/records/words.ts'
import { apiRefusals, commonRefusals } from '#features/sentences.ts'
import { consoleRefusals } from '#kernel/console-words.ts'
import { type ErrorBody, type ErrorCode, errorStatus } from '#kernel/errors.ts'

/** The default sentence of each refusal. The browser shows its own sentences; these are for other callers. */
export const sentence: Record<ErrorCode, string> = {
  ...commonRefusals,
  ...consoleRefusals,
  ...recordRefusals,
  ...boardRefusals,
  ...commandRefusals,
  ...coverageRefusals,
  ...actionRefusals,
  ...apiRefusals,
}

/** A request that a domain rule rejects. Any other exception is a bug. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: readonly string[] | undefined
  /** Further fields of the reply, where the call's contract requires them even in an error. */
  readonly extra: Partial<ErrorBody> | undefined
  constructor(
    code: ErrorCode,
    message: string = sentence[code],
    fields?: readonly string[],
    extra?: Partial<ErrorBody>,
  ) {
    super(message)
    this.code = code
    this.status = errorStatus[code]
    this.fields = fields
    this.extra = extra
  }
}

/** More was asked than this process can do now. Nothing was done. */
export class Overload extends Refusal {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('unavailable', undefined, undefined, { retry_after: retryAfterSeconds })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A refusal whose sentence stands below one field of a form. */
export const fieldRefusal = (code: ErrorCode, message: string, field: string) =>
  new Refusal(code, message, [field], { problems: [{ field, row: 1, message }] })
