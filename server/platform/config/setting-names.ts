import { gatewaySettingNames } from './gateway-settings.ts'

/** Every setting that the product reads. */
export const settingNames = [
  ...['NODE_ENV', 'OPEN_DEMO', 'PORT', 'HOST', 'APP_URL', 'DATABASE_URL', 'DRAIN_SECONDS', 'DATA_DIR'],
  ...['DOCUMENTS_BUCKET', 'DOCUMENTS_BUCKET_ENDPOINT', 'PG_BIN_DIR', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'],
  ...['DEMO', 'ROLES', 'DIRECTORY_URL', 'DIRECTORY_KEY', 'DIRECTORY_NAME_KEY', 'DIRECTORY_CELLS'],
  ...['PASSWORD_RESET_URL', 'SMTP_URL', 'MAIL_FROM', 'TSA_URL', 'LOG_WITNESSES', 'OUTGOING_PROXY', 'SMS_GATEWAY'],
  ...['PDF_FONTS_DIR', 'CENTRIFUGO_URL', 'CENTRIFUGO_API_KEY', 'CENTRIFUGO_PUBLIC_URL'],
  ...gatewaySettingNames,
  ...['SMS_DAILY_SIGN_IN_LINKS', 'SMS_DAILY_LINKS', 'SMS_DAILY_ALERTS', 'SMS_INBOUND_SECRET'],
  ...['VOICE_DAILY_CALLS', 'VOICE_PER_SECOND', 'VOICE_AT_ONCE'],
  ...[
    'RETAIN_MESSAGES_DAYS',
    'RETAIN_EVENTS_DAYS',
    'RETAIN_AUDIT_DAYS',
    'RETAIN_PEEPS_DAYS',
    'RETAIN_RECORDS_DAYS',
    'TRUST_PROXY',
  ],
  ...[
    'METRICS_TOKEN',
    'REQUESTS_PER_MINUTE',
    'LOG_LEVEL',
    'API_DOCS',
    'SECURITY_CONTACT',
    'WEB_PUSH_CONTACT',
    'PUSH_HOSTS',
  ],
]

const prefixOf = (name: string) => name.split('_', 1)[0] ?? ''

/** Prefixes that no other program uses. */
const ownPrefixes = new Set([
  ...['SMS', 'SMTP', 'RETAIN', 'DOCUMENTS', 'DRAIN', 'METRICS', 'CENTRIFUGO', 'VOICE', 'DIRECTORY'],
  ...gatewaySettingNames.map(prefixOf),
])

/** Variables that look like settings but are not, each with the likely intended setting. */
export function findMisspelt(env: NodeJS.ProcessEnv): string[] {
  const known = new Set(settingNames)
  return Object.keys(env)
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const meant = settingNames.find((setting) => setting.length > 5 && isNear(name.toUpperCase(), setting))
      if (meant) return `${name} is not a setting: did you mean ${meant}?`
      return name.includes('_') && ownPrefixes.has(prefixOf(name))
        ? `${name} is not a setting of Evac: it has no effect.`
        : []
    })
}

/** True if at most two letters are wrong, missing, extra or swapped. */
function isNear(name: string, setting: string): boolean {
  if (Math.abs(name.length - setting.length) > 2) return false
  let above = Array.from({ length: setting.length + 1 }, (_, at) => at)
  for (let row = 1; row <= name.length; row++) {
    const line = [row]
    for (let at = 1; at <= setting.length; at++) {
      const swap = name[row - 1] === setting[at - 1] ? 0 : 1
      line.push(Math.min((above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + swap))
    }
    above = line
  }
  return (above[setting.length] ?? 3) <= 2
}
