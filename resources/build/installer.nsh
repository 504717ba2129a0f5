; What electron-builder's installer for Windows doesn't do: "Open with Pixdock", pixdock: links, and the command line's path.
; Pixdock is offered for pictures and never made the default for them.

!define PICTURE_CLASS "Pixdock.Picture"
; As in main/base/system/windows-identity.ts.
!define TOAST_ACTIVATOR "{D2D1C953-FFB8-4E11-A905-AD949BC52BF5}"

; All extensions of api/formats.ts.
!macro forEachPictureType MACRO
  !insertmacro ${MACRO} "jpg"
  !insertmacro ${MACRO} "jpeg"
  !insertmacro ${MACRO} "jpe"
  !insertmacro ${MACRO} "jfif"
  !insertmacro ${MACRO} "jif"
  !insertmacro ${MACRO} "pjpeg"
  !insertmacro ${MACRO} "pjp"
  !insertmacro ${MACRO} "mpo"
  !insertmacro ${MACRO} "png"
  !insertmacro ${MACRO} "apng"
  !insertmacro ${MACRO} "gif"
  !insertmacro ${MACRO} "webp"
  !insertmacro ${MACRO} "avif"
  !insertmacro ${MACRO} "avifs"
  !insertmacro ${MACRO} "heic"
  !insertmacro ${MACRO} "heif"
  !insertmacro ${MACRO} "hif"
  !insertmacro ${MACRO} "heics"
  !insertmacro ${MACRO} "heifs"
  !insertmacro ${MACRO} "bmp"
  !insertmacro ${MACRO} "dib"
  !insertmacro ${MACRO} "tif"
  !insertmacro ${MACRO} "tiff"
  !insertmacro ${MACRO} "svg"
  !insertmacro ${MACRO} "mp4"
  !insertmacro ${MACRO} "m4v"
  !insertmacro ${MACRO} "mov"
  !insertmacro ${MACRO} "webm"
!macroend

!macro offerPictureType EXT
  WriteRegNone SHELL_CONTEXT "Software\Classes\.${EXT}\OpenWithProgids" "${PICTURE_CLASS}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".${EXT}" ""
!macroend

!macro withdrawPictureType EXT
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXT}\OpenWithProgids" "${PICTURE_CLASS}"
!macroend

!macro tellExplorer
  ; SHCNE_ASSOCCHANGED, SHCNF_FLUSH
  System::Call "shell32::SHChangeNotify(i,i,i,i) (0x08000000, 0x1000, 0, 0)"
!macroend

; NSIS cuts long paths off, so PowerShell edits the variable.
!macro editPath ACTION
  StrCpy $R0 "user"
  ${if} $installMode == "all"
    StrCpy $R0 "machine"
  ${endIf}
  nsExec::ExecToLog 'powershell.exe -NoProfile -ExecutionPolicy Bypass -File "$INSTDIR\resources\path.ps1" ${ACTION} $R0 "$INSTDIR\resources\service"'
  Pop $R0
  ${if} $R0 != 0
    DetailPrint "The Path variable could not be updated for the command line: $R0"
  ${endIf}
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

; What the app has written for this user: the shortcut and the class of its notifications, and its entry among the programs that start at login.
!macro removeTraces
  SetShellVarContext current
  Delete "$SMPROGRAMS\${SHORTCUT_NAME}.lnk"
  DeleteRegKey HKCU "Software\Classes\CLSID\${TOAST_ACTIVATOR}"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${if} $installMode == "all"
    SetShellVarContext all
  ${endIf}
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\${PICTURE_CLASS}" "" "Picture"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${PICTURE_CLASS}\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${PICTURE_CLASS}\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}" "FriendlyAppName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$appExe" "%1"'
  !insertmacro forEachPictureType offerPictureType

  WriteRegStr SHELL_CONTEXT "Software\Classes\pixdock" "" "URL:${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\pixdock" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\pixdock\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\pixdock\shell\open\command" "" '"$appExe" "%1"'

  !insertmacro tellExplorer
  !insertmacro editPath add
!macroend

!macro customUnInstall
  !insertmacro editPath remove
  !insertmacro forEachPictureType withdrawPictureType
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${PICTURE_CLASS}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\pixdock"
  !insertmacro tellExplorer
  ; An update runs the former version's uninstaller, and the new one continues with all of that.
  ${ifNot} ${isUpdated}
    !insertmacro removeTraces
  ${endIf}
!macroend
