import { CAPTURE_PATH, CLIPBOARD_PATH } from '#api/desktop/handover.ts';
import { uploadThroughApp } from '../desktop-app.ts';
import { CommandError, EXIT, UsageError } from '../errors.ts';
import { imageFields, type UploadOptions } from '../options.ts';
import { formatLink } from '../printable.ts';
import { prepareLocal } from '../run.ts';

/** `pixdock upload --clipboard` and `--capture`: have the desktop app upload, as its shortcuts do. */
export async function uploadFromApp(files: string[], options: UploadOptions, signal: AbortSignal): Promise<number> {
  const { capture } = options;
  if (files.length)
    throw new UsageError(
      `${capture ? '--capture uploads part of the screen' : '--clipboard uploads the picture on the clipboard'} and takes no files.`,
    );
  if (options.name?.trim() === '') throw new UsageError('The name is empty.');
  const { terminal, environment } = prepareLocal(options);
  const { name, album, timeout, template } = options;
  const linkFormat = options.format === 'json' ? undefined : options.format;
  const request = { fields: await imageFields(options), name, album, linkFormat, linkTemplate: template };
  const result = await uploadThroughApp(request, {
    path: capture ? CAPTURE_PATH : CLIPBOARD_PATH,
    appDir: environment.appDir,
    timeout,
    signal,
  });
  if (!result.ok) throw new CommandError(result.message);
  if (result.cancelled) return EXIT.failed;

  for (const uploaded of result.uploaded) terminal.line(formatLink(options, uploaded));
  for (const { name, message } of result.failed) terminal.problem(name, message);
  if (!result.uploaded.length && !result.failed.length) terminal.problem(undefined, 'The upload was cancelled in the app.');
  const uncopied = options.copy === true && result.uploaded.length > 0 && !result.copied;
  if (uncopied) terminal.problem(undefined, 'The links weren’t copied: the clipboard changed in the meantime, or couldn’t be written to.');
  return result.failed.length || !result.uploaded.length || uncopied ? EXIT.failed : EXIT.done;
}
