-- Directory changes in the console, and tables in and out.

-- The number in the code 'P-000001' of the last person whose code was made.
alter table client add column last_person_number integer not null default 0;
