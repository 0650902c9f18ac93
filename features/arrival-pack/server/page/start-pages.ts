import { html, plainPage } from '#server/platform/plain-page.ts'

export const askPage = (nonce: string): string =>
  plainPage({
    title: 'Arrival pack',
    body: html`<main>
<h1>Arrival pack</h1>
<p>Who is in danger, which floors are not cleared, and who needs help. The wardens can see who has opened it.</p>
<form method="post">
<input type="hidden" name="form" value="${nonce}">
<label for="name">Your name and unit</label>
<input type="text" id="name" name="name" maxlength="60" autocomplete="off" aria-describedby="optional">
<p id="optional" class="muted">You may leave this empty.</p>
<button type="submit">Open as fire service</button>
</form>
</main>`,
  })

export const gonePage = (): string =>
  plainPage({
    title: 'Arrival pack',
    body: html`<main><h1>This page is no longer available. Ask the person in command.</h1></main>`,
  })
