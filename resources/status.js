// The page that the window shows while the image service is down. It asks main for the reason and follows its news;
// main opens the web application again as soon as the service runs.

const TEXTS = {
  en: {
    starting: 'Starting Pixdock…',
    down: 'The Pixdock service isn’t running',
    loops: 'The Pixdock service keeps failing',
    stopped: 'Pixdock is closing…',
    retry: 'Retry now',
    again: 'Try again',
    folder: 'Open log folder',
    log: 'Last lines of the log',
    portTitle: 'Use another port instead',
    port: 'Port',
    usePort: 'Change port',
    portHolder: (holder, port) => `${holder} is using port ${port}. Quit it, and Pixdock will start automatically.`,
    portBreaks: (count, port) =>
      count === 0
        ? 'There are no pictures yet, so no links will break.'
        : `Links to ${count} ${count === 1 ? 'picture' : 'pictures'} contain port ${port}. All links shared so far will stop working.`,
    gaveUp: 'It failed several times in a row, so Pixdock has stopped restarting it.',
    next: (seconds) =>
      seconds > 0
        ? `Retrying in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}. Links will work again once the service is running.`
        : 'Retrying…',
    damaged: 'The database is damaged',
    damagedAt: (path) => `Pixdock can’t read ${path}.`,
    damagedSteps: ({ backups }) => [
      'Check how far the damage goes: quit Pixdock, and run this command in a terminal. It rebuilds what doesn’t need a backup.',
      `Restore a backup: choose another, empty folder. Pixdock starts there without pictures; then choose the backup file under Administration → Backup.${backups ? ` There are backups in ${backups}.` : ''}`,
      'Or continue with another data folder of Pixdock, or start again in an empty one. The damaged folder stays as it is.',
    ],
    otherFolder: 'Choose another folder…',
    // Without port_in_use: the service's own sentence names the port.
    problems: {
      port_forbidden: 'The system won’t let Pixdock use its port. Choose a port above 1023 with PIXDOCK_PORT.',
      data_folder: 'Pixdock can’t use its data folder. Details:',
      hung: 'The service stopped responding and was shut down.',
      no_answer: 'The service didn’t respond in time. If this keeps happening, quit Pixdock and open it again.',
      ended: 'The service quit unexpectedly.',
      failed: 'The service couldn’t start. Details:',
    },
  },
  zh: {
    starting: '正在启动 Pixdock…',
    down: 'Pixdock 服务未运行',
    loops: 'Pixdock 服务反复出错',
    stopped: 'Pixdock 正在关闭…',
    retry: '立即重试',
    again: '重试',
    folder: '打开日志文件夹',
    log: '日志的最后几行',
    portTitle: '改用其他端口',
    port: '端口',
    usePort: '更改端口',
    portHolder: (holder, port) => `端口 ${port} 被 ${holder} 占用。请退出该程序，Pixdock 会自动启动。`,
    portBreaks: (count, port) =>
      count === 0 ? '还没有图片，不会有链接失效。' : `${count} 张图片的链接包含端口 ${port}。此前分享的链接将全部失效。`,
    gaveUp: '服务接连出错，Pixdock 已停止自动重启。',
    next: (seconds) => (seconds > 0 ? `${seconds} 秒后重试。服务恢复后链接即可访问。` : '正在重试…'),
    damaged: '数据库已损坏',
    damagedAt: (path) => `Pixdock 无法读取 ${path}。`,
    damagedSteps: ({ backups }) => [
      '检查损坏程度：退出 Pixdock，然后在终端中运行这条命令。不需要备份即可修复的部分会自动重建。',
      `还原备份：选择另一个空文件夹。Pixdock 会在其中启动，暂时没有图片；然后在“管理 → 备份”中选择备份文件。${backups ? `${backups} 中有备份。` : ''}`,
      '或者改用另一个 Pixdock 数据文件夹，或在空文件夹中重新开始。损坏的文件夹保持不变。',
    ],
    otherFolder: '选择其他文件夹…',
    problems: {
      port_in_use: '端口已被其他程序占用。请退出那个程序，Pixdock 会自动启动。',
      port_forbidden: '系统不允许使用该端口。请用 PIXDOCK_PORT 指定大于 1023 的端口。',
      data_folder: '无法使用数据文件夹。详情：',
      hung: '服务停止响应，已被终止。',
      no_answer: '服务没有及时响应。如果反复出现，请退出 Pixdock 后重新打开。',
      ended: '服务意外退出。',
      failed: '服务启动失败。详情：',
    },
  },
};

const element = (id) => document.getElementById(id);
const bridge = window.pixdock;
let texts = TEXTS.en;
let status = { state: 'starting' };
/** What is known about a taken port: its number, the program that holds it, and a free one. */
let taken;

async function start() {
  const { language } = await bridge.getPreferences();
  const chinese = (language === 'system' ? navigator.language : language).toLowerCase().startsWith('zh');
  texts = chinese ? TEXTS.zh : TEXTS.en;
  document.documentElement.lang = chinese ? 'zh-CN' : 'en';
  element('folder').textContent = texts.folder;
  element('log-title').textContent = texts.log;
  element('retry').addEventListener('click', () => bridge.retryService());
  element('port-title').textContent = texts.portTitle;
  element('port-label').textContent = texts.port;
  element('port-use').textContent = texts.usePort;
  element('port').addEventListener('submit', changePort);
  element('folder').addEventListener('click', () => bridge.openLogFolder());
  element('other-folder').textContent = texts.otherFolder;
  element('other-folder').addEventListener('click', chooseOtherFolder);
  bridge.onServiceStatus((next) => {
    status = next;
    show();
  });
  status = await bridge.getServiceStatus();
  show();
  setInterval(showNextTry, 1000);
}

function show() {
  const down = status.state === 'down';
  const loops = down && status.retryAt === null;
  const isDamaged = down && status.problem.code === 'damaged_database';
  element('title').textContent = isDamaged
    ? texts.damaged
    : loops
      ? texts.loops
      : down
        ? texts.down
        : status.state === 'stopped'
          ? texts.stopped
          : texts.starting;
  element('reason').textContent = down ? reasonOf(status.problem) : '';
  element('progress').hidden = down;
  element('retry').hidden = !down;
  element('retry').textContent = loops ? texts.again : texts.retry;
  element('folder').hidden = !loops || isDamaged;
  showDamage(isDamaged);
  showNextTry();
  showLog(loops && !isDamaged);
  showPort();
}

/** The ways out of a damaged database. */
function showDamage(isDamaged) {
  element('damage').hidden = !isDamaged;
  if (!isDamaged) return;
  const { database } = status.problem;
  element('reason').textContent = texts.damagedAt(database);
  const steps = texts.damagedSteps(status.problem).map((text) => Object.assign(document.createElement('li'), { textContent: text }));
  const command = document.createElement('code');
  command.textContent = `pixdock verify --repair --data-dir "${database.replace(/[\\/][^\\/]+$/, '')}"`;
  steps[0].append(command);
  element('steps').replaceChildren(...steps);
}

async function chooseOtherFolder() {
  element('other-refusal').textContent = '';
  try {
    await bridge.chooseOtherDataFolder();
  } catch (error) {
    element('other-refusal').textContent = error.message;
  }
}

/** The way out of a taken port. It stays while the service tries again, so that nobody loses what they have typed. */
async function showPort() {
  if (status.state !== 'down') return;
  const { problem } = status;
  if (problem.code !== 'port_in_use') {
    element('port').hidden = true;
    return;
  }
  if (taken?.port !== problem.port) {
    const facts = await bridge.getPortChange();
    taken = { ...facts, port: problem.port };
    if (status.problem) element('reason').textContent = reasonOf(status.problem);
    element('port-breaks').textContent = texts.portBreaks(problem.images ?? 0, problem.port);
    element('port-number').value = facts.suggestion ?? '';
  }
  element('port').hidden = taken.fixed;
}

async function changePort(event) {
  event.preventDefault();
  element('port-refusal').textContent = '';
  try {
    await bridge.choosePort(Number(element('port-number').value));
  } catch (error) {
    element('port-refusal').textContent = error.message;
  }
}

function showNextTry() {
  element('next').textContent = status.state === 'down' ? nextTry(status.retryAt) : '';
}

function nextTry(at) {
  if (status.problem.code === 'damaged_database') return '';
  return at === null ? texts.gaveUp : texts.next(Math.ceil((at - Date.now()) / 1000));
}

/** The log, once the service is no longer restarted: it shows the cause. */
async function showLog(wanted) {
  const lines = wanted ? await bridge.getServiceLog() : [];
  if (wanted && status.retryAt !== null) return; // meanwhile it started again
  element('log').hidden = lines.length === 0;
  element('lines').textContent = lines.join('\n');
  element('lines').scrollTop = element('lines').scrollHeight;
}

/** The reason in the page's language, followed by the details where the sentence ends in a colon. */
function reasonOf({ code, detail, port }) {
  if (code === 'port_in_use' && taken?.port === port && taken.holder) return texts.portHolder(taken.holder, port);
  const sentence = texts.problems[code];
  if (!sentence) return detail;
  if (sentence.endsWith('：')) return sentence + detail;
  return sentence.endsWith(':') ? `${sentence} ${detail}` : sentence;
}

start();
