import { app } from 'electron';
import type { PortChange } from '#api/desktop/lan.ts';
import { canOpenPort, isLinkHost } from '#api/desktop/listening.ts';
import { Reason } from '#main/base/reasons.ts';
import type { Ipc } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import { lanHelp } from './firewall.ts';
import { freePortAfter, isFree } from './free-port.ts';
import { EVERYWHERE, type Lan } from './lan.ts';
import { portHolder } from './port-holder.ts';
import { run } from './run.ts';

interface Parts {
  lan: Lan;
  service: Pick<ServiceProcess, 'status' | 'countImages'>;
}

/** Handles the calls about sharing on the local network, and reports changes to pages. */
export function connectLan(ipc: Ipc, { lan, service }: Parts): void {
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
