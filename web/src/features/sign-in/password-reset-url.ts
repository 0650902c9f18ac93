const developmentDefault = 'https://example.invalid/password-reset'

/** AMB-028: the page's own `<meta name="password-reset-url">`, or the development default. Web addresses only. */
export function passwordResetUrl(): string {
  const given = document.querySelector<HTMLMetaElement>('meta[name="password-reset-url"]')?.content ?? ''
  return /^https?:\/\//.test(given) ? given : developmentDefault
}
