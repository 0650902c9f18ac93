import { createHash, randomInt } from 'node:crypto'
import type { Pdu } from 'smpp'
import type { SmppSettings } from '#server/platform/config/gateway-settings.ts'
import { inTurns } from '#server/platform/one-after-another.ts'
import { segmentsOf } from '../../segments.ts'
import { collect, receiptBatches } from '../batch-receipts.ts'
import type { InboundPiece } from '../inbound/inbound.service.ts'
import type { SenderKind } from '../inbound/sender.ts'
import { keptId, receiptedId } from '../receipt-spellings.ts'
import { GatewayRefusal, type OutgoingText, type Receipt, type SmsGateway, TextRejected } from '../sms-gateway.ts'
import { type LinkEvents, SmppLink, SmppStatus } from './smpp-link.ts'
import { isReceipt, receiptOf, textOf } from './smpp-receipts.ts'

const name = 'smpp'

export interface SmppEvents extends Pick<LinkEvents, 'onTrouble'> {
  onReceipts: (receipts: readonly Receipt[]) => Promise<unknown>
  onText: (text: InboundPiece) => Promise<unknown>
}

/** Sends texts by SMPP 3.4, the protocol of telephone networks. */
export function createSmpp(settings: SmppSettings, { onReceipts, onText, onTrouble }: SmppEvents): SmsGateway {
  // receipts arrive one by one and are stored in batches; each is confirmed once it is stored
  const noteReceipt = collect(onReceipts, receiptBatches)
  // one at a time, which keeps the order of a person's "in danger" and "safe"
  const inTurn = inTurns(1, Number.POSITIVE_INFINITY)
  const { messageIds = 'same' } = settings
  let tellBack = () => {}
  const link = new SmppLink(settings, {
    onTrouble,
    onBound: () => tellBack(),
    async onDelivery(pdu) {
      if (!isReceipt(pdu)) return void (await inTurn(() => onText(pieceOf(pdu))))
      const receipt = receiptOf(name, pdu)
      if (receipt) await noteReceipt({ ...receipt, providerId: receiptedId(receipt.providerId, messageIds) })
    },
  })
  let reference = randomInt(256)
  return {
    name,
    async send(text, signal) {
      reference = (reference + 1) % 256
      try {
        const ids = await Promise.all(
          submissions(settings, text, reference).map((fields) => link.submit(fields, signal)),
        )
        return { gateway: name, providerIds: ids.map((id) => keptId(id, messageIds)) as [string, ...string[]] }
      } catch (error) {
        throw explain(error)
      }
    },
    async check() {
      if (!link.isBound) throw new Error('there is no session with the SMPP provider')
    },
    whenBack: (listener) => {
      tellBack = listener
    },
    close: () => link.close(),
  }
}

/** GSM-7 or UCS-2. Parts of a long text carry a header with which the phone joins them. */
function submissions({ from }: SmppSettings, { to, body, validUntil }: OutgoingText, reference: number) {
  const { encoding, segments } = segmentsOf(body)
  return segments.map((message, i) => ({
    ...sender(from),
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: to,
    registered_delivery: 1,
    validity_period: validityOf(validUntil),
    data_coding: encoding === 'gsm7' ? 0 : 8,
    short_message: {
      message,
      ...(segments.length > 1 && { udh: Buffer.from([5, 0, 3, reference, segments.length, i + 1]) }),
    },
  }))
}

function sender(from: string) {
  const digits = /^\+?(\d+)$/.exec(from)?.[1]
  if (!digits) return { source_addr_ton: 5, source_addr_npi: 0, source_addr: from }
  if (digits.length < 7) return { source_addr_ton: 3, source_addr_npi: 0, source_addr: digits }
  const abroad = digits.replace(/^00/, '')
  return { source_addr_ton: abroad.startsWith('0') ? 2 : 1, source_addr_npi: 1, source_addr: abroad }
}

/** A relative time (years, months, days, hours, minutes, seconds), because the provider's clock may differ. */
function validityOf(validUntil: Date): string {
  const seconds = Math.max(1, Math.round((validUntil.getTime() - Date.now()) / 1000))
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `0000${two(seconds / 86_400)}${two((seconds / 3600) % 24)}${two((seconds / 60) % 60)}${two(seconds % 60)}000R`
}

const refusalsOfTheNumber: Readonly<Record<number, string>> = { 11: 'The mobile number is not valid.' }
const refusalsHere: Readonly<Record<number, string>> = {
  1: 'The text is too long for the provider.',
  10: 'The sender is not valid at the provider.',
  257: 'The provider does not allow this text.',
  260: 'The provider does not know this character set.',
}

function explain(error: unknown): unknown {
  if (!(error instanceof SmppStatus)) return error
  const ofTheNumber = refusalsOfTheNumber[error.status]
  if (ofTheNumber) return new TextRejected(ofTheNumber)
  const here = refusalsHere[error.status]
  return here ? new GatewayRefusal(here) : error
}

/** Incoming texts have no id in SMPP. The parts of one share a reference, which a phone reuses after some time. */
function pieceOf(pdu: Pdu): InboundPiece {
  const from = pdu.source_addr ?? ''
  const kind = senderKinds[pdu.source_addr_ton ?? 0] ?? (pdu.source_addr_npi === nationalPlan ? 'national' : 'unknown')
  const body = textOf(pdu)
  const joint = jointOf(pdu)
  if (!joint) return { gateway: name, from, kind, body }
  const same = [from, pdu.destination_addr, joint.reference, Math.floor(Date.now() / 120_000)].join('\n')
  const providerId = createHash('sha256').update(same).digest('base64url').slice(0, 32)
  return { gateway: name, providerId, from, kind, body, joint }
}

/** By type of number (TON). 3 is of the network, 6 abbreviated. */
const senderKinds: Readonly<Record<number, SenderKind>> = {
  1: 'international',
  2: 'national',
  3: 'short',
  5: 'name',
  6: 'short',
}
/** Of the numbering plans (NPI), which say little else of a sender. */
const nationalPlan = 8

function jointOf(pdu: Pdu): InboundPiece['joint'] {
  const joint = saysJoint(pdu)
  return joint && joint.of > 1 && joint.nth <= joint.of ? joint : undefined
}

/** Reads reference, number and count of a part from its header or its fields. */
function saysJoint(pdu: Pdu): InboundPiece['joint'] {
  for (const [id, , ...octets] of pdu.short_message?.udh ?? pdu.message_payload?.udh ?? []) {
    const [of, nth] = octets.slice(-2)
    if (!of || !nth) continue
    if (id === 0x00 && octets.length === 3) return { reference: octets[0] as number, of, nth }
    if (id === 0x08 && octets.length === 4)
      return { reference: (octets[0] as number) * 256 + (octets[1] as number), of, nth }
  }
  const { sar_msg_ref_num: reference, sar_total_segments: of, sar_segment_seqnum: nth } = pdu
  return reference !== undefined && of && nth ? { reference, of, nth } : undefined
}
