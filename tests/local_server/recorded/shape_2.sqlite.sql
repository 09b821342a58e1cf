BEGIN TRANSACTION;
CREATE TABLE api_keys (
    id VARCHAR(64) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    hint VARCHAR(32) NOT NULL,
    project VARCHAR(64) NOT NULL,
    mode VARCHAR(8) NOT NULL,
    "plan" VARCHAR(16) NOT NULL,
    per_minute INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (id),
    UNIQUE (hash)
);
INSERT INTO "api_keys" VALUES('key_59b1732b','e695eecebe42997c7c55c49f36d29099f1565e466e64a8b25b294a5ab13b5d54','pk_live_rec…','tests','live','pro',300,1767323046678901,NULL);
INSERT INTO "api_keys" VALUES('key_eba9d213','6bb611615d7d0a9a80ee1eb3324326f759d212b53ceeda572004bbf4dbefde56','pk_test_rec…','other','test','free',60,1767323047678901,1767323048678901);
CREATE TABLE conversations (
    id VARCHAR(64) NOT NULL,
    project VARCHAR(64) NOT NULL,
    mode VARCHAR(8) NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    message_count INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO "conversations" VALUES('conv_b73c5f84be7a3ae8f35ffd12c475016a','tests','live',1767323049678901,1767323052678901,2);
INSERT INTO "conversations" VALUES('conv_c660004bb186cb73a064a3c11de35092','tests','live',1767323050678901,1767323050678901,0);
INSERT INTO "conversations" VALUES('conv_7a1ad4783147742c8a4c8ca2b70f1ddf','other','test',1767323051678901,1767323045678901,1);
CREATE TABLE messages (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    conversation_id VARCHAR(64) NOT NULL,
    role VARCHAR(16) NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
INSERT INTO "messages" VALUES(1,'msg_1','conv_b73c5f84be7a3ae8f35ffd12c475016a','user','What is in them?',1767323045678901);
INSERT INTO "messages" VALUES(2,'msg_2','conv_7a1ad4783147742c8a4c8ca2b70f1ddf','user','Odd words: 💬 '' \ "',1767323045678901);
INSERT INTO "messages" VALUES(3,'msg_3','conv_b73c5f84be7a3ae8f35ffd12c475016a','assistant','One moment.',1767323045678901);
CREATE TABLE owners (
    project VARCHAR(64) NOT NULL,
    mode VARCHAR(8) NOT NULL,
    conversation_count INTEGER NOT NULL,
    PRIMARY KEY (project, mode)
);
INSERT INTO "owners" VALUES('tests','live',2);
INSERT INTO "owners" VALUES('other','test',1);
CREATE TABLE schema_version (
    version INTEGER NOT NULL
);
INSERT INTO "schema_version" VALUES(2);
CREATE TABLE tool_calls (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    conversation_id VARCHAR(64) NOT NULL,
    message_id VARCHAR(64) NOT NULL,
    name TEXT NOT NULL,
    input TEXT NOT NULL,
    tools TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    state VARCHAR(16) NOT NULL,
    result TEXT,
    is_finished BOOLEAN NOT NULL,
    round INTEGER DEFAULT '0' NOT NULL,
    used_skills TEXT DEFAULT '[]' NOT NULL,
    hand_overs_left INTEGER DEFAULT '0' NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
INSERT INTO "tool_calls" VALUES(1,'call_1','conv_b73c5f84be7a3ae8f35ffd12c475016a','msg_3','read_file','{"path": "a"}','[]','assistant',11,'answered','A',0,0,'["weekly"]',2);
INSERT INTO "tool_calls" VALUES(2,'call_2','conv_b73c5f84be7a3ae8f35ffd12c475016a','msg_3','read_file','{"path": "a"}','[]','assistant',11,'queued',NULL,0,0,'["weekly"]',2);
CREATE INDEX conversations_by_owner ON conversations (project, mode, updated_at, id);
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE INDEX tool_calls_by_conversation ON tool_calls (conversation_id, seq);
CREATE INDEX tool_calls_by_message ON tool_calls (message_id, seq);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',3);
INSERT INTO "sqlite_sequence" VALUES('tool_calls',2);
COMMIT;
