/**
 * Who sets new passwords, from the page's `<meta name="password-reset">`: an external web address,
 * `administrator`, or this program by `mail`.
 */
export function passwordResetBy(): string {
  const said = document.querySelector<HTMLMetaElement>('meta[name="password-reset"]')?.content ?? ''
  return said === 'administrator' || /^https?:\/\//.test(said) ? said : 'mail'
}
