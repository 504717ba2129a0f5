import { hostname } from 'node:os';
import { app } from 'electron';
import type { PortChange } from '#api/desktop/lan.ts';
import { canOpenPort, isLinkHost } from '#api/desktop/listening.ts';
import { bytesOf, cutText } from '#api/plain-text.ts';
import { systemClock } from '#main/base/clock.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import type { DesktopEnv } from '#main/base/system/env.ts';
import { onResume } from '#main/base/system/power.ts';
import type { Ipc } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { ListenOptions } from '#main/service/service.ts';
import { lanAddresses } from '#server/network/lan-address.ts';
import { DEFAULT_PORT } from '#server/platform/config/config.ts';
import { announce } from './announce.ts';
import { lanHelp } from './firewall.ts';
import { freePortAfter, isFree } from './free-port.ts';
import { EVERYWHERE, Lan, ONLY_HERE } from './lan.ts';
import type { NetworkMemory } from './memory.ts';
import { portHolder } from './port-holder.ts';
import { run } from './run.ts';

interface Settings {
  env: DesktopEnv;
  preferences: PreferenceStore;
  memory: NetworkMemory;
}

/** Of the name that an announcement shows (RFC 6763). */
const MAX_INSTANCE_BYTES = 63;

/** Where the service listens at the start. Environment variables win over the switch and the chosen port. */
export function listenOptions({ env, preferences, memory }: Settings): ListenOptions {
  const { port } = memory.get();
  return {
    host: env.host ?? (preferences.get().lan ? EVERYWHERE : ONLY_HERE),
    port: env.port ?? port ?? DEFAULT_PORT,
    allowedHosts: [], // until a name is announced
  };
}

/** Starts sharing on the local network as the user wants it, and follows the network. */
export function setupLan(settings: Settings & { ipc: Ipc; service: ServiceProcess; describe(error: unknown): string }): Lan {
  const { ipc, env, preferences, memory, service, describe } = settings;
  const lan = new Lan({
    service,
    preferences,
    memory,
    fixed: { host: env.host, port: env.port },
    port: listenOptions(settings).port,
    name: cutText(`Pixdock on ${hostname().replace(/\.(local|lan|home)$/i, '')}`, MAX_INSTANCE_BYTES, bytesOf),
    clock: systemClock,
    addresses: lanAddresses,
    announce,
    describe,
  });
  connectLan(ipc, { lan, service });
  onResume(() => void lan.refresh(true));
  void lan.start();
  return lan;
}

interface Parts {
  lan: Lan;
  service: Pick<ServiceProcess, 'status' | 'countImages'>;
}

/** Handles the calls about sharing on the local network, and reports changes to pages. */
function connectLan(ipc: Ipc, { lan, service }: Parts): void {
  lan.onChange((status) => ipc.tell('lanStatus', status));
  ipc.handle({
    getLanStatus: () => lan.status(),
    getLanHelp: () => lanHelp({ platform: process.platform, program: app.getPath('exe'), port: lan.status().port, run }),
    chooseLanAddress: async (host) => {
      if (!isLinkHost(host)) throw new Reason('notAHost');
      await lan.chooseAddress(host);
      return undefined;
    },
    getPortChange: () => portChange(lan, service),
    choosePort: async (port) => {
      if (lan.status().fixed.port) throw new Reason('portIsFixed');
      if (!canOpenPort(port)) throw new Reason('portIsBlocked');
      if (!(await isFree(port, EVERYWHERE))) throw new Reason('portIsTaken');
      lan.choosePort(port);
      return undefined;
    },
  });
}

async function portChange(lan: Lan, service: Parts['service']): Promise<PortChange> {
  const { port, fixed } = lan.status();
  const status = service.status();
  const isTaken = status.state === 'down' && status.problem.code === 'port_in_use';
  const [suggestion, holder, images] = await Promise.all([
    freePortAfter(port, EVERYWHERE),
    isTaken ? portHolder(port, process.platform, run) : undefined,
    status.state === 'running' ? service.countImages() : isTaken ? status.problem.images : undefined,
  ]);
  return { port, fixed: fixed.port, suggestion: suggestion ?? null, holder: holder ?? null, images: images ?? null };
}
