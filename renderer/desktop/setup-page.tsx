import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { ChosenFolder, Hosting, SetupState, Wishes } from '#api/desktop/setup.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ChooseStep } from './choose-step.tsx';
import { HostStep } from './host-step.tsx';
import { JoinStep } from './join-step.tsx';
import { WhoOpens } from './who-opens.tsx';

type Step = 'choose' | 'host' | 'join';

/** The first launch: what this computer does, who should open the links, and which keys capture. */
export function SetupPage({ bridge, setup }: { bridge: DesktopBridge; setup: SetupState }) {
  const { t } = useTranslation('desktop');
  const [joinLink, setJoinLink] = useState(setup.joinLink ?? undefined);
  const [step, setStep] = useState<Step>(joinLink ? 'join' : 'choose');
  useEffect(
    () =>
      bridge.onJoinLink((address) => {
        setJoinLink(address);
        setStep('join');
      }),
    [bridge],
  );
  const [wishes, setWishes] = useState<Wishes>({ watchScreenshots: false, captureShortcut: setup.captureShortcut.keys });
  const [lan, setLan] = useState<boolean | undefined>(setup.lan || undefined);
  const [isLanMissing, setLanMissing] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  /** A warning about the chosen folder, which can be used anyway. */
  const [concern, setConcern] = useState<string>();
  const [starting, setStarting] = useState(false);

  const explain = (error: unknown) => setTrouble(t('unexpected', { detail: error instanceof Error ? error.message : String(error) }));

  async function host(choices: Partial<Hosting> = {}) {
    setStarting(true);
    try {
      await bridge.hostHere({ name: '', dataDir: null, lan: lan ?? false, open: 'gallery', ...wishes, ...choices });
    } catch (error) {
      setStarting(false);
      explain(error);
    }
  }

  /** Hosts once the user has said who should open the links. */
  async function hostFor(choices?: Partial<Hosting>) {
    setLanMissing(lan === undefined);
    if (lan !== undefined) await host(choices);
  }

  /** Lets the user choose a folder; undefined if it can't be used. */
  async function chooseFolder(purpose: 'new' | 'existing'): Promise<string | undefined> {
    setTrouble(undefined);
    const folder = await bridge.chooseDataFolder(purpose).catch(explain);
    if (!folder) return undefined;
    if (folder.problem) {
      setTrouble(t(`setup.problems.${folder.problem satisfies ChosenFolder['problem']}`, { path: folder.path }));
      return undefined;
    }
    setConcern(folder.synchronised ? t('setup.synchronised') : undefined);
    return folder.path;
  }

  async function open() {
    const dataDir = await chooseFolder('existing');
    if (dataDir !== undefined) await host({ dataDir });
  }

  const go = (next: Step) => {
    setTrouble(undefined);
    setConcern(undefined);
    setStep(next);
  };
  const message = trouble ?? concern;
  const alert = message && (
    <Alert color={trouble ? 'red' : 'yellow'} mt="md" role="alert">
      {message}
    </Alert>
  );
  const who = (
    <WhoOpens
      lan={lan}
      error={isLanMissing}
      onChange={(next) => {
        setLan(next);
        setLanMissing(false);
      }}
    />
  );
  if (step === 'host')
    return (
      <HostStep
        setup={setup}
        starting={starting}
        who={who}
        onBack={() => go('choose')}
        onChoose={() => chooseFolder('new')}
        onHost={hostFor}
      >
        {alert}
      </HostStep>
    );
  if (step === 'join') return <JoinStep key={joinLink} bridge={bridge} wishes={wishes} invitedTo={joinLink} onBack={() => go('choose')} />;
  return (
    <ChooseStep
      bridge={bridge}
      setup={setup}
      starting={starting}
      who={who}
      wishes={wishes}
      onWish={(wish) => setWishes((before) => ({ ...before, ...wish }))}
      onHost={() => hostFor()}
      onRestore={() => host({ open: 'restore' })}
      onOptions={() => go('host')}
      onJoin={() => go('join')}
      onOpen={open}
    >
      {alert}
    </ChooseStep>
  );
}
