// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

contract Plain {
    string public symbol;
    string public name;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    constructor(string memory symbol_, string memory name_, uint8 decimals_, uint256 supply) {
        (symbol, name, decimals, totalSupply) = (symbol_, name_, decimals_, supply);
        balanceOf[msg.sender] = supply;
    }

    event Transfer(address indexed from, address indexed to, uint256 amount);

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

contract OldToken {
    bytes32 public constant symbol = "MKR";
    bytes32 public constant name = "Maker";
    uint256 public constant decimals = 18;
    uint256 public constant totalSupply = 1e24;
}

contract Reverting {
    uint8 public constant decimals = 6;

    function symbol() external pure returns (string memory) {
        revert("no symbol for you");
    }

    function name() external pure returns (string memory) {
        assert(false);
        return "";
    }
}

/// A megabyte of name, whatever is asked.
contract Megabyte {
    fallback() external {
        assembly {
            mstore(0, 32)
            mstore(32, 1000000)
            for { let i := 64 } lt(i, 2000) { i := add(i, 32) } { mstore(i, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") }
            return(0, 1000064)
        }
    }
}

/// Long texts at little cost, and decimals that are right.
contract LongName {
    uint8 public constant decimals = 18;

    fallback() external {
        assembly {
            mstore(0, 32)
            mstore(32, 10000)
            for { let i := 64 } lt(i, 1000) { i := add(i, 32) } { mstore(i, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") }
            return(0, 10064)
        }
    }
}

contract NotUtf8 {
    uint8 public constant decimals = 18;

    function symbol() external pure returns (bytes memory) {
        return hex"ff41fe42c3";
    }

    function name() external pure returns (bytes memory) {
        return hex"c0afed20";
    }
}

contract Lying {
    uint8 public constant decimals = 18;

    /// An offset beyond everything.
    function symbol() external pure {
        assembly {
            mstore(0, not(0))
            mstore(32, 3)
            return(0, 64)
        }
    }

    /// A length beyond everything.
    function name() external pure {
        assembly {
            mstore(0, 32)
            mstore(32, not(0))
            mstore(64, "short")
            return(0, 96)
        }
    }
}

contract ManyDecimals {
    string public constant symbol = "BIG";
    string public constant name = "Big";
    uint256 public immutable decimals;

    constructor(uint256 decimals_) {
        decimals = decimals_;
    }
}

contract GasBomb {
    uint8 public constant decimals = 18;

    fallback() external {
        assembly {
            for { } 1 { } { mstore(0, keccak256(0, 32)) }
        }
    }
}

/// Burns what it is given on every question, decimals too.
contract InvalidBomb {
    fallback() external {
        assembly { invalid() }
    }
}

contract Silent {
    fallback() external {}
}

contract Collectible {
    string public constant symbol = "NFT";
    string public constant name = "Collectible";
}

contract Gone {
    constructor() {
        selfdestruct(payable(msg.sender));
    }
}

/** Becomes a token when the test sets it. */
contract Later {
    string public symbol;
    string public name;
    uint256 public constant totalSupply = 1e24;
    uint8 private immutable places;
    bool private isToken;

    constructor(string memory symbol_, string memory name_, uint8 decimals_) {
        (symbol, name, places) = (symbol_, name_, decimals_);
    }

    function decimals() external view returns (uint8) {
        require(isToken, "not yet");
        return places;
    }

    function becomeToken() external {
        isToken = true;
    }

    function rename(string calldata name_) external {
        name = name_;
    }
}
