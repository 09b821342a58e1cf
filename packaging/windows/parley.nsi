; The installer for Windows: for one user, without asking for an administrator.
;
; makensis -WX -DVERSION=… -DNUMBERS=… -DFILES=… -DICON=… -DOUTPUT=… -DSIZE_KIB=…
;     -DPUBLISHER=… parley.nsi
;
; Silent:     setup.exe /S [/D=C:\a folder]      (/D last, without quotes)
; Take away:  uninstall.exe /S [/REMOVEDATA]     chats, settings and log stay without the switch
; Ends with 0: done, 1: called off, 2: Parley or another setup of it is open, or a file cannot be
; replaced or removed.
;
; A whole version is there at any moment but one: the files come into $INSTDIR.new; then $INSTDIR
; becomes $INSTDIR.old, and at once $INSTDIR.new becomes $INSTDIR. Last, what the version before
; brought is taken out of $INSTDIR.old, and what others put there goes back. Wherever that is cut
; off, the next setup puts back or goes on.

Unicode true
Target amd64-unicode
ManifestDPIAware true
ManifestSupportedOS Win10
RequestExecutionLevel user
SetCompressor /SOLID lzma
; When and where this was made is nobody's business, and the bytes come out the same each time.
SetDateSave off

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
; How to put all files into a folder, and to take exactly those away from $INSTDIR: INSTALL_FILES,
; REMOVE_FILES, REMOVE_FOLDERS.
!include "${FILES}"

!define TITLE "Parley"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Parley"
; In each folder that is ours, from before the first file of the program until after the last.
!define MARKER "installed-by-setup.txt"
; The switch of an uninstaller that a setup starts: the marker and what Windows lists stay.
!define FILES_ONLY "/FILESONLY"
!define OPEN 2
!define ALREADY_EXISTS 183
; How long something that looks for viruses may keep a new file open.
!define RENAME_TRIES 40
!define RENAME_PAUSE_MS 250

; Where the version before is.
Var Before
Var IsFilesOnly

Name "${TITLE}"
OutFile "${OUTPUT}"
BrandingText "${TITLE} ${VERSION}"
InstallDir "$LOCALAPPDATA\Programs\Parley"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
ShowInstDetails nevershow
ShowUninstDetails nevershow

VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${TITLE}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${TITLE}"
VIAddVersionKey "CompanyName" "${PUBLISHER}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\parley.exe"
!define MUI_FINISHPAGE_NOREBOOTSUPPORT
!define MUI_COMPONENTSPAGE_NODESC

!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString IS_OPEN ${LANG_ENGLISH} "Parley is open. Close it, then try again."
LangString IS_OPEN ${LANG_GERMAN} "Parley ist geöffnet. Bitte schließen Sie es und versuchen Sie es dann noch einmal."
LangString NOT_OURS ${LANG_ENGLISH} "$R0 is of something else. Move it, or choose another folder."
LangString NOT_OURS ${LANG_GERMAN} "$R0 gehört zu etwas anderem. Bitte verschieben Sie es oder wählen Sie einen anderen Ordner."
LangString IN_USE ${LANG_ENGLISH} "Something has files in $R0 open. Close it, then try again."
LangString IN_USE ${LANG_GERMAN} "Dateien in $R0 sind geöffnet. Bitte schließen Sie, was sie benutzt, und versuchen Sie es dann noch einmal."
LangString IS_AT_WORK ${LANG_ENGLISH} "Parley is being installed or removed already. Finish that first."
LangString IS_AT_WORK ${LANG_GERMAN} "Parley wird gerade schon installiert oder entfernt. Bitte schließen Sie das zuerst ab."
LangString PROGRAM ${LANG_ENGLISH} "Parley"
LangString PROGRAM ${LANG_GERMAN} "Parley"
LangString DATA ${LANG_ENGLISH} "Also my chats, settings and log"
LangString DATA ${LANG_GERMAN} "Auch meine Chats, Einstellungen und das Protokoll"

!define TRY_AGAIN `${Cmd} 'MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IN_USE)" /SD IDCANCEL IDRETRY'`

; $R0 is the folder that a function is about.
!macro SHARED UN
; Two at once would take each other's folders away. The name is free again when this one ends.
Function ${UN}stopBesideAnother
  System::Call 'kernel32::CreateMutexW(p 0, i 1, w "Local\ParleySetup") p .r0 ?e'
  Pop $0
  ${If} $0 = ${ALREADY_EXISTS}
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(IS_AT_WORK)" /SD IDOK
    SetErrorLevel ${OPEN}
    Quit
  ${EndIf}
FunctionEnd

; Windows refuses to write to a program that runs.
Function ${UN}stopWhileOpen
  !insertmacro STOP_WHILE_ONE_OPEN parley.exe
  !insertmacro STOP_WHILE_ONE_OPEN parley-server.exe
  !insertmacro STOP_WHILE_ONE_OPEN parley-tools.exe
FunctionEnd

; The marker goes into $R0.
Function ${UN}mark
  FileOpen $0 "$R0\${MARKER}" w
  FileWrite $0 "Parley's setup made this folder. uninstall.exe takes away what it put here.$\r$\n"
  FileClose $0
FunctionEnd

; What a setup put into $R0 goes, by the list in its own uninstaller, and what is left then goes
; to $R1, if that is a folder. The marker stays with all that cannot be taken away now.
Function ${UN}takeAway
  ${IfNot} ${FileExists} "$R0\${MARKER}"
    ; Only if nothing is in it.
    RMDir "$R0"
    Return
  ${EndIf}
  ; Where something that looks for viruses took its own, another one knows nearly all files.
  ${If} ${FileExists} "$R0\parley.exe"
  ${AndIfNot} ${FileExists} "$R0\uninstall.exe"
    CopyFiles /SILENT "$INSTDIR\uninstall.exe" "$R0\uninstall.exe"
  ${EndIf}
  ${If} ${FileExists} "$R0\uninstall.exe"
    ClearErrors
    ExecWait '"$R0\uninstall.exe" /S ${FILES_ONLY} _?=$R0' $0
    ${If} ${Errors}
    ${OrIf} $0 <> 0
      Return
    ${EndIf}
    ; Run in place, it could not take itself away.
    Delete "$R0\uninstall.exe"
  ${EndIf}
  ${If} ${FileExists} "$R0\uninstall.exe"
    Return
  ${EndIf}
  ${If} $R1 != ""
    Call ${UN}bringBack
  ${EndIf}
  Delete "$R0\${MARKER}"
  RMDir "$R0"
  ${If} ${FileExists} "$R0"
    Call ${UN}mark
  ${EndIf}
FunctionEnd

; Moves what is in $R0 to the same place in $R1; with ".old" behind its name if that is taken.
Function ${UN}bringBack
  Push $0
  Push $1
  FindFirst $0 $1 "$R0\*"
  ${DoUntil} $1 == ""
    ${If} $1 != "."
    ${AndIf} $1 != ".."
    ${AndIf} $1 != "${MARKER}"
      ${IfNot} ${FileExists} "$R1\$1"
        Rename "$R0\$1" "$R1\$1"
      ${ElseIf} ${FileExists} "$R0\$1\*.*"
        Push $R0
        Push $R1
        StrCpy $R0 "$R0\$1"
        StrCpy $R1 "$R1\$1"
        Call ${UN}bringBack
        RMDir "$R0"
        Pop $R1
        Pop $R0
      ${Else}
        Rename "$R0\$1" "$R1\$1.old"
      ${EndIf}
    ${EndIf}
    FindNext $0 $1
  ${Loop}
  FindClose $0
  Pop $1
  Pop $0
FunctionEnd

; What an earlier setup left of itself beside $INSTDIR.
Function ${UN}takeRemainsAway
  StrCpy $R0 "$INSTDIR.new"
  StrCpy $R1 ""
  Call ${UN}takeAway
  StrCpy $R0 "$INSTDIR.old"
  StrCpy $R1 $INSTDIR
  ${Do}
    Call ${UN}takeAway
    ${IfNot} ${FileExists} "$R0\${MARKER}"
      Return
    ${EndIf}
  ${LoopWhile} ${TRY_AGAIN}
  SetErrorLevel ${OPEN}
  Quit
FunctionEnd
!macroend

!macro STOP_WHILE_ONE_OPEN PROGRAM_FILE
  ${Do}
    ${IfNot} ${FileExists} "$R0\${PROGRAM_FILE}"
      ${ExitDo}
    ${EndIf}
    ClearErrors
    FileOpen $0 "$R0\${PROGRAM_FILE}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IS_OPEN)" /SD IDCANCEL IDRETRY +3
    SetErrorLevel ${OPEN}
    Quit
  ${Loop}
!macroend

!insertmacro SHARED ""
!insertmacro SHARED "un."

Function .onInit
  Call stopBesideAnother
FunctionEnd

; A folder with things of somebody else is never written into: what we take away later is ours.
; A program of our name says nothing, and is not there yet where a setup was interrupted.
Function stopIfForeign
  ${If} ${FileExists} "$R0"
  ${AndIfNot} ${FileExists} "$R0\${MARKER}"
    ${DirState} "$R0" $0
    ${If} $0 <> 0
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(NOT_OURS)" /SD IDOK
      SetErrorLevel ${OPEN}
      Quit
    ${EndIf}
  ${EndIf}
FunctionEnd

; Gives the folder $R0 the name $R1, or sets the error flag.
Function rename
  ${Do}
    ${For} $0 1 ${RENAME_TRIES}
      ClearErrors
      Rename $R0 $R1
      ${IfNot} ${Errors}
        Return
      ${EndIf}
      Sleep ${RENAME_PAUSE_MS}
    ${Next}
  ${LoopWhile} ${TRY_AGAIN}
  SetErrors
FunctionEnd

; Between its two new names, $INSTDIR is not there.
Function putBack
  RMDir "$INSTDIR"
  ${If} ${FileExists} "$INSTDIR.old\${MARKER}"
  ${AndIfNot} ${FileExists} "$INSTDIR"
    StrCpy $R0 "$INSTDIR.old"
    StrCpy $R1 $INSTDIR
    Call rename
  ${EndIf}
FunctionEnd

Section "-Program"
  ReadRegStr $Before HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ; Nobody's current folder can be renamed.
  SetOutPath "$TEMP"
  StrCpy $R0 $INSTDIR
  Call stopIfForeign
  Call stopWhileOpen
  ${If} ${FileExists} "$Before\${MARKER}"
    StrCpy $R0 $Before
    Call stopWhileOpen
  ${EndIf}
  Call putBack
  Call takeRemainsAway
  StrCpy $R0 "$INSTDIR.new"
  Call stopIfForeign
  StrCpy $R0 "$INSTDIR.old"
  Call stopIfForeign

  StrCpy $R0 "$INSTDIR.new"
  ClearErrors
  CreateDirectory $R0
  Call mark
  ; Before the files, so that what an interruption leaves can be taken away.
  WriteUninstaller "$INSTDIR.new\uninstall.exe"
  ${If} ${Errors}
    Abort
  ${EndIf}
  !insertmacro INSTALL_FILES "$INSTDIR.new"
  SetOutPath "$TEMP"
  ${If} ${Errors}
    Abort
  ${EndIf}

  ${If} ${FileExists} "$INSTDIR"
    StrCpy $R0 $INSTDIR
    StrCpy $R1 "$INSTDIR.old"
    Call rename
    ${If} ${Errors}
      Abort
    ${EndIf}
  ${EndIf}
  ; If that took it away, it was the same folder, whatever it is called.
  ${IfNot} ${FileExists} "$Before\${MARKER}"
    StrCpy $Before ""
  ${EndIf}
  StrCpy $R0 "$INSTDIR.new"
  StrCpy $R1 $INSTDIR
  Call rename
  ${If} ${Errors}
    Call putBack
    Abort
  ${EndIf}

  StrCpy $R0 "$INSTDIR.old"
  Call takeAway
  ${If} $Before != ""
    StrCpy $R0 $Before
    StrCpy $R1 ""
    Call takeAway
    ${IfNot} ${FileExists} "$Before\uninstall.exe"
      Delete "$Before\${MARKER}"
    ${EndIf}
  ${EndIf}
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${TITLE}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\parley.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${SIZE_KIB}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  SetOutPath "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\Parley.lnk" "$INSTDIR\parley.exe"
SectionEnd

; What came of the new version goes; the version before is there as it was.
Function .onInstFailed
  SetOutPath "$TEMP"
  Call putBack
  StrCpy $R0 "$INSTDIR.new"
  StrCpy $R1 ""
  Call takeAway
FunctionEnd

Function un.removeFiles
  ${Do}
    ClearErrors
    !insertmacro REMOVE_FILES
    ${IfNot} ${Errors}
      Return
    ${EndIf}
  ${LoopWhile} ${TRY_AGAIN}
  SetErrorLevel ${OPEN}
  Quit
FunctionEnd

Section "un.$(PROGRAM)" UN_PROGRAM
  SectionIn RO
  StrCpy $R0 $INSTDIR
  Call un.stopWhileOpen
  Call un.takeRemainsAway
  StrCpy $R0 $INSTDIR
  Call un.removeFiles
  !insertmacro REMOVE_FOLDERS
  ${If} $IsFilesOnly <> 0
    Return
  ${EndIf}
  Delete "$INSTDIR\uninstall.exe"
  Delete "$INSTDIR\${MARKER}"
  ; Only if nothing else is in it.
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Parley.lnk"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
SectionEnd

; Not chosen unless the user or the switch says so.
Section /o "un.$(DATA)" UN_DATA
  RMDir /r "$LOCALAPPDATA\parley"
SectionEnd

Function un.onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/REMOVEDATA" $1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${UN_DATA}
  ${EndIf}
  ClearErrors
  ${GetOptions} $0 "${FILES_ONLY}" $1
  ${IfNot} ${Errors}
    StrCpy $IsFilesOnly 1
    Return
  ${EndIf}
  Call un.stopBesideAnother
FunctionEnd
