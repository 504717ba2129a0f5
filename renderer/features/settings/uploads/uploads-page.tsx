import { Button, Group, Progress, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { getLimits, Preferences, Profile } from '#api/auth/user.ts';
import type { RouteData } from '#api/contract.ts';
import { allowsVideos } from '#api/formats.ts';
import { useAddableAlbums } from '#renderer/albums/albums.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { VisibilityChoice } from '#renderer/components/forms/visibility-choice.tsx';
import { LoadError, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { AlbumChoice } from '#renderer/features/settings/choices.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { profileQuery, useChangePreferences } from '#renderer/service/account.ts';
import { client } from '#renderer/service/client.ts';
import { configQuery, limitsQuery, sessionQuery } from '#renderer/service/queries.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { rememberedFields } from '#renderer/upload/options/remembered-fields.ts';
import { useOptionsLine } from '#renderer/upload/options/use-options-line.ts';
import { CopySetting, LinkSetting } from './copying.tsx';

/** The defaults of uploads, and the user's storage and limits. */
export function UploadsPage() {
  const profile = useQuery(profileQuery);
  const { data: limits } = useQuery(limitsQuery);
  return (
    <div>
      {profile.isPending && <Skeleton height={160} />}
      {profile.isError && <LoadError error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.data && <Defaults preferences={profile.data.preferences} />}
      {profile.data && <TextSetting profile={profile.data} />}
      {limits && <Storage limits={limits} />}
    </div>
  );
}

function Defaults({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate } = useChangePreferences();
  const change = (some: Partial<Preferences>) => mutate(some, { onError: (error) => notifyError(error) });
  const albums = useAddableAlbums();
  return (
    <>
      <Setting title={t('uploads.visibility')} hint={t('uploads.visibilityHint')}>
        {(label) => <VisibilityChoice label={label} value={preferences.visibility} onChange={(visibility) => change({ visibility })} />}
      </Setting>
      <Setting title={t('uploads.album')} hint={t('uploads.albumHint')}>
        {(label) => (
          <AlbumChoice label={label} albums={albums} value={preferences.album_id} onChange={(album_id) => change({ album_id })} />
        )}
      </Setting>
      <AskSetting />
      <KeptOptions />
      <CopyrightSetting kept={preferences.keep_copyright} onChange={(keep_copyright) => change({ keep_copyright })} />
      <ExpiredPictures preferred={preferences.delete_expired} onChange={(delete_expired) => change({ delete_expired })} />
      <LinkSetting />
      <CopySetting />
      <Text size="xs" c="dimmed" mt="md" mb="xl">
        {t(desktopBridge() ? 'uploads.storedInApp' : 'uploads.stored')}
      </Text>
    </>
  );
}

function Storage({ limits }: { limits: RouteData<typeof getLimits> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { storage_used_bytes: used, storage_quota_bytes: quota } = limits;
  const number = (value: number) => (value ? format.number(value) : t('uploads.unlimited'));
  const facts: [string, string][] = [
    [t('uploads.largest'), limits.max_file_bytes ? format.bytes(limits.max_file_bytes) : t('uploads.unlimited')],
    ...(allowsVideos(limits.allowed_exts)
      ? ([
          [t('uploads.largestVideo'), limits.max_video_bytes ? format.bytes(limits.max_video_bytes) : t('uploads.unlimited')],
          [t('uploads.longestVideo'), limits.max_video_seconds ? format.length(limits.max_video_seconds) : t('uploads.unlimited')],
        ] satisfies [string, string][])
      : []),
    [t('uploads.rate'), number(limits.uploads_per_minute)],
    [t('uploads.hourly'), number(limits.uploads_per_hour)],
    [t('uploads.daily'), number(limits.uploads_per_day)],
    [t('uploads.longest'), limits.max_expires_in ? format.period(limits.max_expires_in) : t('uploads.unlimited')],
    [t('uploads.formats'), format.list(limits.allowed_exts)],
  ];
  return (
    <>
      <Setting title={t('uploads.storage')} hint={t('uploads.storageHint')}>
        {() => (
          <>
            {quota
              ? t('nav.usedOf', { used: format.bytes(used), quota: format.bytes(quota) })
              : t('nav.used', { used: format.bytes(used) })}{' '}
            · {t('gallery.count', { count: limits.image_count, formatted: format.number(limits.image_count) })}
            {quota > 0 && <Progress mt="xs" size={6} value={(used / quota) * 100} aria-label={t('uploads.storage')} />}
          </>
        )}
      </Setting>
      <Setting title={t('uploads.limits')}>
        {() => (
          <dl className={classes.limits}>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Setting>
    </>
  );
}

interface CopyrightProps {
  kept: boolean;
  onChange: (kept: boolean) => void;
}

/** Whether pictures keep their artist and copyright when their metadata is removed. */
function CopyrightSetting({ kept, onChange }: CopyrightProps) {
  const { t } = useTranslation();
  return (
    <Setting title={t('uploads.copyright')} hint={t('uploads.copyrightHint')}>
      {(label) => <Switch aria-labelledby={label} size="md" checked={kept} onChange={(event) => onChange(event.currentTarget.checked)} />}
    </Setting>
  );
}

interface ExpiredProps {
  /** Whether the account deletes expired pictures at once; its group may decide so for all its members. */
  preferred: boolean;
  onChange: (preferred: boolean) => void;
}

/** Chooses what becomes of pictures that expire. */
function ExpiredPictures({ preferred, onChange }: ExpiredProps) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const byGroup = limits?.delete_expired ?? false;
  return (
    <Setting title={t('expiry.preference')} hint={t('expiry.preferenceHint')}>
      {(label) =>
        byGroup ? (
          <Text size="sm">{t('expiry.byGroup')}</Text>
        ) : (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={preferred ? 'delete' : 'keep'}
            onChange={(value) => onChange(value === 'delete')}
            data={[
              { value: 'keep', label: t('expiry.keep') },
              { value: 'delete', label: t('expiry.delete') },
            ]}
          />
        )
      }
    </Setting>
  );
}

/** Whether text in the user's pictures is recognised, where the server does that. */
function TextSetting({ profile }: { profile: Profile }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const { data: config } = useQuery(configQuery);
  const change = useMutation({
    mutationFn: (recognize_text: boolean) => client.call('PATCH /user', { body: { recognize_text } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(profileQuery.queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['images', 'text'] });
    },
    onError: (error) => notifyError(error),
  });
  if (!config?.ocr_enabled) return null;
  const checked = change.isPending ? change.variables : profile.recognize_text;
  return (
    <Setting title={t('uploads.text')} hint={t('uploads.textHint')}>
      {(label) => (
        <Switch aria-labelledby={label} size="md" checked={checked} onChange={(event) => change.mutate(event.currentTarget.checked)} />
      )}
    </Setting>
  );
}

/** Whether each upload waits for its options; stored in this browser. */
function AskSetting() {
  const { t } = useTranslation();
  const { askOptions } = usePreferences();
  return (
    <Setting title={t('batch.asks')} hint={t('batch.asksHint')}>
      {(label) => (
        <Switch
          aria-labelledby={label}
          size="md"
          checked={askOptions}
          onChange={(event) => setPreferences({ askOptions: event.currentTarget.checked })}
        />
      )}
    </Setting>
  );
}

/** The options that this browser adds to each upload, if there are any. */
function KeptOptions() {
  const { t } = useTranslation();
  const whoCanOpen = useWhoCanOpen();
  const { uploadOptions } = usePreferences();
  const { data: session } = useQuery(sessionQuery);
  const fields = rememberedFields(uploadOptions, session?.user?.id);
  const line = useOptionsLine(fields);
  if (!Object.keys(fields).length) return null;
  return (
    <Setting title={t('batch.kept')} hint={t(desktopBridge() ? 'uploads.keptHintInApp' : 'uploads.keptHint')}>
      {() => (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{line ?? whoCanOpen(fields.visibility === 'private' ? 'private' : 'public')}</Text>
          <Button size="xs" variant="default" onClick={() => setPreferences({ uploadOptions: null })}>
            {t('batch.keptRemove')}
          </Button>
        </Group>
      )}
    </Setting>
  );
}
