-- A row that an upload leaves out, as it stood in its file, beside the first of its problems. Never of a plan.
alter table upload_problem add column cells jsonb;
