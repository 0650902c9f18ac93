-- A call for help by a key that is pressed in a call. A node of the version before lists it without its way.
alter table self_report drop constraint self_report_way_check;
alter table self_report add constraint self_report_way_check check (way in ('link', 'poster', 'text', 'call'));
