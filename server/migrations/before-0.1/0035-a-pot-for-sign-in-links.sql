-- Anybody may ask for a sign-in link: it is paid from a pot of its own, not from the one that pays for report-in links.
alter table client
  add column sms_daily_sign_in_links integer check (sms_daily_sign_in_links >= 0);
alter table sms_spend
  drop constraint sms_spend_pot_check,
  add constraint sms_spend_pot_check check (pot in ('sign_in_links', 'links', 'alerts'));
