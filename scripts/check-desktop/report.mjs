// The text file of `npm run check:desktop`, and its exit code.

const PASSED = 0;
const FAILED = 1;
const NO_ELECTRON = 2;

/**
 * What the check has shown, in a few lines, and its exit code.
 * @param reason why there is no Electron
 * @param session the start of the app
 * @param run the scenarios; undefined if none ran
 */
export function judge({ reason, session, run }) {
  if (!session) return { verdict: `NO ELECTRON RAN, so this shows nothing about the app.\n${reason}`, code: NO_ELECTRON };
  if (!session.probe) return { verdict: 'ELECTRON DIDN’T START, so no scenario ran.', code: NO_ELECTRON };
  const isDouble = session.probe.versions.Chromium === 'none';
  const statuses = ['passed', 'FAILED', 'skipped', 'not run'];
  const counts = statuses.map((status) => run.scenarios.filter((scenario) => scenario.status === status).length);
  const [passed, failed, , notRun] = counts;
  const list = statuses.flatMap((status, index) => (counts[index] ? [`${counts[index]} ${status}`] : []));
  const results = `Start: ${session.hasStarted ? 'passed' : 'FAILED'}. Scenarios: ${list.join(', ') || 'none'}.`;
  const hasPassed = session.hasStarted && run.errors.length === 0 && passed > 0 && failed + notRun === 0;
  const code = hasPassed ? PASSED : FAILED;
  if (!isDouble) return { verdict: results, code };
  const warning = 'NO ELECTRON RAN, only the tests’ double, so this shows nothing about Electron.';
  return { verdict: `${warning}\n${results}`, code: code || NO_ELECTRON };
}

/** The whole file. `title` is its first line. */
export function reportText({ title, verdict, system, permissions, session, run, byHand }) {
  const { probe } = session ?? {};
  const sections = [
    ['This computer', ...table({ ...system, ...probe?.versions })],
    ['Permissions', ...table({ ...permissions, ...probe?.permissions })],
    ['The start, in this session', ...startLines(session)],
    [`The scenarios${process.platform === 'linux' ? ', without the sandbox, Wayland and the session’s bus' : ''}`, ...scenarioLines(run)],
    ['To try by hand: put an x into the boxes of what went as expected, and write down what you saw', '', byHand.trim()],
  ];
  return `${[title, '', verdict].join('\n')}\n${sections.map(([heading, ...lines]) => `\n== ${heading} ==\n${lines.join('\n')}\n`).join('')}`;
}

function table(facts) {
  return Object.entries(facts).map(([name, value]) => `${name.padEnd(26)}${value}`);
}

function startLines(session) {
  if (!session) return ['not run'];
  const { hasStarted, summary, output } = session;
  return [
    `${hasStarted ? 'passed' : 'FAILED'}   ${summary}`,
    ...(hasStarted ? [] : ['The app printed:', indented(output.trim() || 'nothing')]),
  ];
}

function scenarioLines(run) {
  if (!run) return ['not run'];
  const lines = run.scenarios.map(({ status, file, title, seconds, reason }) =>
    [`${status.padEnd(9)}${file} › ${title}${seconds ? ` (${seconds.toFixed(1)} s)` : ''}`, ...(reason ? [indented(reason)] : [])].join(
      '\n',
    ),
  );
  return [...lines, ...run.errors];
}

const indented = (text) => text.replaceAll(/^/gm, ' '.repeat(9));
