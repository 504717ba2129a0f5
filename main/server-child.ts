import type { ServiceProblem } from '#api/desktop/service.ts';
import type { DesktopSession } from '#server/boot/desktop-sessions.ts';
import { type Service, startService } from '#server/boot/server.ts';
import { PortTakenError } from '#server/network/listening.ts';
import { endWithParent } from '#server/platform/base/end-with-parent.ts';
import { DamagedDatabaseError, DataFolderError } from '#server/platform/config/config.ts';
import { launchDecodersBy } from '#server/platform/imaging/decoders.ts';
import { relayDecoders } from './service/decoder-relay.ts';
import { type FromService, type SessionCookie, type ToService, toService } from './service/server-messages.ts';

// The service process: the entry for both launchers, Electron's utility process and plain Node.

/** Milliseconds that the service has to stop once the app is gone. */
const GONE_MS = 2_000;

interface Parent {
  send(message: FromService): void;
  onMessage(listener: (message: unknown) => void): void;
  onGone(listener: () => void): void;
}

function findParent(): Parent {
  const utility = process.parentPort as typeof process.parentPort | undefined;
  if (utility) {
    endWithParent();
    const decoders = relayDecoders((message) => utility.postMessage(message));
    launchDecodersBy(decoders.launch);
    return {
      send: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on('message', ({ data }) => decoders.receive(data) || listener(data)),
      onGone: () => undefined, // Electron terminates its utility processes itself
    };
  }
  if (!process.send) throw new Error('This is the service process of the desktop app. Run `pixdock serve` instead.');
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on('message', listener),
    onGone(listener) {
      process.once('disconnect', listener);
      if (!process.connected) listener();
    },
  };
}

/** The message for the user when the service can't start. */
function problemOf(error: unknown): ServiceProblem {
  const detail = error instanceof Error ? error.message : String(error);
  const code = systemCode(error);
  if (error instanceof PortTakenError) {
    const { port, images } = error;
    return {
      code: 'port_in_use',
      detail: `Another program is using port ${port}. Quit it, and Pixdock will start automatically.`,
      port,
      images,
    };
  }
  if (error instanceof DamagedDatabaseError) {
    const { database, backups } = error;
    return { code: 'damaged_database', detail, database, backups };
  }
  if (error instanceof DataFolderError) return { code: 'data_folder', detail };
  if (code === 'EACCES' && detail.includes('port')) return { code: 'port_forbidden', detail };
  if (code && ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'].includes(code)) return { code: 'data_folder', detail };
  return { code: 'failed', detail };
}

/** The system's error code, from the error or its cause. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error as NodeJS.ErrnoException).code ?? systemCode(error.cause);
}

function presentCookie({ name, value, expires }: DesktopSession): SessionCookie {
  return { name, value, expires: expires.toISOString() };
}

function runService(parent: Parent) {
  let service: Promise<Service> | undefined;

  async function start(message: Extract<ToService, { type: 'start' }>) {
    try {
      service = startService(message.config, { restart, onBackupFault: (reason) => parent.send({ type: 'backup-fault', reason }) });
      const { url, linkAddress } = await service;
      parent.send({ type: 'ready', url, linkAddress });
    } catch (error) {
      console.error(error);
      parent.send({ type: 'failed', problem: problemOf(error) }); // main then ends this process: an exit could lose the message
    }
  }

  /** Replies to a request of main, with a refusal when it fails. */
  async function reply(id: number, request: (service: Service) => Promise<FromService>) {
    try {
      if (!service) throw new Error('The service has not been started.');
      parent.send(await request(await service));
    } catch (error) {
      console.error(error);
      parent.send({ type: 'refused', id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  const openSession = ({ id, username }: Extract<ToService, { type: 'open-session' }>) =>
    reply(id, async (running) => ({ type: 'session', id, cookie: presentCookie(await running.openOwnerSession(username)) }));

  const openAccount = ({ id, userId, username }: Extract<ToService, { type: 'open-account' }>) =>
    reply(id, async (running) => {
      const opened = await running.openAccountSession(userId, username);
      return { type: 'account', id, session: opened ? { cookie: presentCookie(opened), user: opened.user } : null };
    });

  const listAccounts = (id: number) => reply(id, async (running) => ({ type: 'accounts', id, accounts: await running.listAccounts() }));

  const listen = ({ id, host }: Extract<ToService, { type: 'listen' }>) =>
    reply(id, async (running) => {
      await running.listenOn(host);
      return { type: 'addressed', id, linkAddress: running.linkAddress };
    });

  const chooseAddress = ({ id, host }: Extract<ToService, { type: 'choose-address' }>) =>
    reply(id, async (running) => {
      await running.chooseLanAddress(host);
      return { type: 'addressed', id, linkAddress: running.linkAddress };
    });

  const countImages = (id: number) => reply(id, async (running) => ({ type: 'images', id, count: await running.countImages() }));

  const readText = ({ id, path }: Extract<ToService, { type: 'read-text' }>) =>
    reply(id, async (running) => ({ type: 'text', id, lines: await running.readText(path) }));

  const setPower = async (onBattery: boolean) => (await service)?.setOnBattery(onBattery);

  const awaitVisitor = async () => (await service)?.awaitVisitor((from) => parent.send({ type: 'visited', from }));

  const allowHosts = async (hosts: readonly string[]) => (await service)?.allowHosts(hosts);

  /** Main replies with a request to stop. */
  const restart = () => parent.send({ type: 'restarting' });

  const closed = async () => (await service)?.stop();

  async function stop() {
    await closed();
    process.exit(0);
  }

  /** Without the steps of an orderly exit, any of which could wait for something that has gone with the app. */
  const end = () => process.kill(process.pid, 'SIGKILL');

  parent.onMessage((raw) => {
    const message = toService.parse(raw);
    if (message.type === 'start') void start(message);
    else if (message.type === 'open-session') void openSession(message);
    else if (message.type === 'open-account') void openAccount(message);
    else if (message.type === 'list-accounts') void listAccounts(message.id);
    else if (message.type === 'listen') void listen(message);
    else if (message.type === 'choose-address') void chooseAddress(message);
    else if (message.type === 'allow-hosts') void allowHosts(message.hosts);
    else if (message.type === 'count-images') void countImages(message.id);
    else if (message.type === 'read-text') void readText(message);
    else if (message.type === 'power') void setPower(message.onBattery);
    else if (message.type === 'await-visitor') void awaitVisitor();
    else void stop();
  });
  parent.onGone(() => {
    setTimeout(end, GONE_MS);
    void closed().then(end, end);
  });
  // Ctrl-C in a terminal reaches the whole process group, but main stops the service after its own uploads.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void stop());
}

runService(findParent());
