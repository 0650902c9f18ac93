/**
 * Twilio's error codes by their meaning for a text: https://www.twilio.com/docs/api/errors. After any other code
 * (credentials, limits, faults at Twilio) a retry may work.
 */
type Reasons = Readonly<Record<number, string>>

/** The number is invalid. No provider can send to it. */
export const refusalsOfTheNumber: Reasons = {
  21211: 'The mobile number is not valid.',
  21217: 'The mobile number is not valid.',
  21214: 'The number is not in use.',
  21614: 'The number is not a mobile number.',
}

/** Twilio rejects this account, sender or number. Another provider may accept the text. */
export const refusalsHere: Reasons = {
  21212: 'The sender number is not valid.',
  21210: 'The number that calls is not verified.',
  21215: 'Calls to this country are not switched on at the provider.',
  21216: 'The provider does not call this number.',
  21219: 'The provider only calls verified numbers while the account is on trial.',
  21408: 'Texts to this country are not switched on at the provider.',
  21606: 'The sender number cannot send texts.',
  21608: 'The provider only texts verified numbers while the account is on trial.',
  21610: 'The receiver has opted out of texts from this number.',
  21612: 'The provider cannot reach this number from the sender.',
  21617: 'The text is too long for the provider.',
  21659: 'The sender does not belong to the provider account.',
}

/** Codes in the status callback, after the text was accepted. */
const failures: Reasons = {
  ...refusalsOfTheNumber,
  ...refusalsHere,
  30001: 'The provider had too many texts waiting.',
  30002: 'The provider has suspended the account.',
  30003: 'The phone is switched off or out of reach.',
  30004: 'The phone or its network blocks this text.',
  30005: 'The number is not in service.',
  30006: 'The number is a landline, or its network cannot be reached.',
  30007: 'The network filtered the text out.',
  30008: 'The network did not deliver the text and gave no reason.',
  30032: 'The sender number is not verified with the networks.',
  30034: 'The sender number is not registered with the networks.',
  30036: 'The text waited too long at the provider.',
}

export const failureOf = (code: string | undefined): string =>
  failures[Number(code)] ??
  (code ? `The provider could not deliver it (Twilio error ${code}).` : 'The provider could not deliver it.')
