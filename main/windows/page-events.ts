import type { Tell } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import { presentUpload, type Uploader } from '#main/uploader/uploader.ts';

/** Sends events to the page in the window. */
export function setupPageEvents(tell: Tell, service: ServiceProcess, uploader: Uploader, describe: (error: unknown) => string) {
  service.onStatus((status) => tell('serviceStatus', status));
  uploader.onChange((item) => tell('uploadEvent', presentUpload(item, describe)));
}
