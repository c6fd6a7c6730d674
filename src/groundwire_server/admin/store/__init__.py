"""The database of the admin server: tables, rules, and who may change what.

SQLAlchemy models (``tables``), migrations (``migrate``, ``migrations/``), and functions for what
several parts of the service ask; a query that one part asks stands there. SQLite in the user's
state folder by default, PostgreSQL by URL; both behave the same, and the tests run against both.
It needs: pip install 'groundwire[server]'

Tables

- ``agent_configs``: one row for each profile of each environment; ``config`` is a JSON document
  whose key ``confidence_calculation`` is always complete. At most one profile of an environment
  is active. An environment without rows uses those of ``all``. ``version`` counts changes.
- ``options``: documents that hold for every environment: prices of models, shares of the A/B
  groups. Also with a ``version``.
- ``prompts``: numbered versions of a prompt; text and number never change, at most one is active.
  ``usage_count`` counts the evaluations that used it.
- ``history``: who changed what and when, with the whole document before and after. Rows are only
  ever added; restoring an old document is a change like any other and has a row of its own.
- ``judgements``: one row for each calculated confidence: method, scores, tokens, cost, time.
  Query and response are whole only with ``log.retain_answers``, else their digest and beginning.
- ``cached_answers``: the judge's answer under that digest, so that an equal question costs nothing.
- ``decisions`` and ``decision_matches``: the decision log of the hook, taken in line by line. The
  message is not copied: ``transcript`` and ``message_id`` say where it stands, and it is read when
  somebody looks.
- ``log_files``: how far each file of the log was read.
- ``feedback``: thumbs up or down for a judgement or a decision, one for each person.
- ``assignments``: which A/B group a session was put in, and when.

Rules

- A change names the version that it was made from. If somebody else changed the row meanwhile it
  is refused with ConflictError and nothing is changed. Row and history are written together or
  not at all.
- Documents are merged deeply, validated as a whole, and stored complete (R002, A002-10).
- Times are UTC. Money is US dollars, scores run from 0 to 1 (high is good), the confidence of a
  match from 0 to 100 (high is bad), times of day in milliseconds.
- Functions take a session and neither open nor commit one; ``Store`` does, in one place.
"""
