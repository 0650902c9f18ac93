import { type ErrorBody, type ErrorCode, errorStatus } from '@evac/contract/errors.ts'
import { apiRefusals, commonRefusals } from '@evac/contract/sentences.ts'

/** What a refusal says when nobody has said it better. The browser shows its own sentences; this is for other callers. */
export const sentence: Record<ErrorCode, string> = { ...commonRefusals, ...apiRefusals }

/** A request the domain turns down. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: readonly string[] | undefined
  /** What the answer says besides, where its call owes that even when it refuses. */
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
