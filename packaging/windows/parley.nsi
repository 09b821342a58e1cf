; The installer for Windows: for one user, without asking for an administrator.
;
; makensis -WX -DVERSION=… -DNUMBERS=… -DFILES=… -DICON=… -DOUTPUT=… -DSIZE_KIB=…
;     -DPUBLISHER=… parley.nsi
;
; Silent:     setup.exe /S [/D=C:\a folder]      (/D last, without quotes)
; Take away:  uninstall.exe /S [/REMOVEDATA]     chats, settings and log stay without the switch
; Ends with 0: done, 1: called off, 2: Parley is open or a file cannot be replaced.

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
; How to put all files into place, and to take exactly those away: INSTALL_FILES, REMOVE_FILES.
!include "${FILES}"

!define TITLE "Parley"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Parley"
; In each folder that is ours, from before the first file of the program until after the last.
!define MARKER "installed-by-setup.txt"
!define OPEN 2

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
LangString NOT_OURS ${LANG_ENGLISH} "$INSTDIR holds files of something else. Choose an empty folder."
LangString NOT_OURS ${LANG_GERMAN} "$INSTDIR enthält Dateien von etwas anderem. Bitte wählen Sie einen leeren Ordner."
LangString PROGRAM ${LANG_ENGLISH} "Parley"
LangString PROGRAM ${LANG_GERMAN} "Parley"
LangString DATA ${LANG_ENGLISH} "Also my chats, settings and log"
LangString DATA ${LANG_GERMAN} "Auch meine Chats, Einstellungen und das Protokoll"

; Windows refuses to write to a program that runs.
!macro STOP_WHILE_OPEN UN
Function ${UN}stopWhileOpen
  !insertmacro STOP_WHILE_ONE_OPEN parley.exe
  !insertmacro STOP_WHILE_ONE_OPEN parley-server.exe
  !insertmacro STOP_WHILE_ONE_OPEN parley-tools.exe
FunctionEnd
!macroend

!macro STOP_WHILE_ONE_OPEN PROGRAM_FILE
  ${Do}
    ${IfNot} ${FileExists} "$INSTDIR\${PROGRAM_FILE}"
      ${ExitDo}
    ${EndIf}
    ClearErrors
    FileOpen $0 "$INSTDIR\${PROGRAM_FILE}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IS_OPEN)" /SD IDCANCEL IDRETRY +3
    SetErrorLevel ${OPEN}
    Quit
  ${Loop}
!macroend

!insertmacro STOP_WHILE_OPEN ""
!insertmacro STOP_WHILE_OPEN "un."

; A folder with things of somebody else is never written into: what we take away later is ours.
; A program of our name says nothing, and is not there yet where a setup was interrupted.
Function stopInForeignFolder
  ${If} ${FileExists} "$INSTDIR\${MARKER}"
    Return
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\*.*"
    ${DirState} "$INSTDIR" $0
    ${If} $0 = 1
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(NOT_OURS)" /SD IDOK
      SetErrorLevel ${OPEN}
      Quit
    ${EndIf}
  ${EndIf}
FunctionEnd

Section "-Program"
  Call stopInForeignFolder
  Call stopWhileOpen
  ; The version before goes first, by its own list of files; the data stays.
  ReadRegStr $1 HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $1 != ""
  ${AndIf} ${FileExists} "$1\uninstall.exe"
    ExecWait '"$1\uninstall.exe" /S _?=$1' $0
    ${If} $0 <> 0
      SetErrorLevel ${OPEN}
      Abort
    ${EndIf}
    ; Run in place, it could not take itself away.
    Delete "$1\uninstall.exe"
    RMDir "$1"
  ${EndIf}
  ClearErrors
  SetOutPath "$INSTDIR"
  FileOpen $0 "$INSTDIR\${MARKER}" w
  FileWrite $0 "Parley's setup made this folder. uninstall.exe takes away what it put here.$\r$\n"
  FileClose $0
  ; Before the files, so that what an interruption leaves can be taken away or be replaced.
  WriteUninstaller "$INSTDIR\uninstall.exe"
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
  !insertmacro INSTALL_FILES
  ${If} ${Errors}
    SetErrorLevel ${OPEN}
    Abort
  ${EndIf}
  SetOutPath "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\Parley.lnk" "$INSTDIR\parley.exe"
SectionEnd

Section "un.$(PROGRAM)" UN_PROGRAM
  SectionIn RO
  Call un.stopWhileOpen
  !insertmacro REMOVE_FILES
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
FunctionEnd
